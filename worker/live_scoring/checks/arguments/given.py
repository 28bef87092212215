"""The arguments of calls as JSON values."""

from collections.abc import Iterable, Iterator
from typing import Any

from live_scoring.core.decoding import parse_json
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.run import ToolInvocation, to_utf8
from live_scoring.core.score import Failure

VALUES_LIMIT = 50_000
"""Brackets, braces and commas of texts that are parsed, at 0.4 µs each."""


class ArgumentsTooLarge(LiveScoringError):  # noqa: N818 -- the name is the published error type
    """The arguments are texts of too much JSON to be parsed."""


def arguments_of(calls: Iterable[ToolInvocation]) -> Iterator[tuple[ToolInvocation, Any]]:
    """Every call with its arguments: parsed if they are a text of JSON, empty if there are none.

    Raises:
        ArgumentsTooLarge: The texts of the calls so far may hold more than 50,000 values.
    """
    values = 0
    for call in calls:
        if isinstance(call.args, str):
            values += sum(map(call.args.count, "[{,"))
            if values > VALUES_LIMIT:
                raise ArgumentsTooLarge(
                    f"arguments are texts of JSON with more than {VALUES_LIMIT} values"
                )
            parsed = parse_json(to_utf8(call.args))
            yield call, call.args if isinstance(parsed, Failure) else parsed
        else:
            yield call, {} if call.args is None else call.args

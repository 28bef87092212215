"""The arguments of a call as a JSON value."""

from typing import Any

from live_scoring.core.decoding import parse_json
from live_scoring.core.run import ToolInvocation, to_utf8
from live_scoring.core.score import Failure


def arguments_of(call: ToolInvocation) -> Any:
    """The arguments; parsed if they are a text that is JSON, and an empty mapping if none."""
    if call.args is None:
        return {}
    if not isinstance(call.args, str):
        return call.args
    parsed = parse_json(to_utf8(call.args))
    return call.args if isinstance(parsed, Failure) else parsed

"""A check that finds the agent that goes round in circles."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any, ClassVar

import orjson
from pydantic import Field
from rapidfuzz import fuzz

from live_scoring.checks.arguments.given import arguments_of
from live_scoring.core.quote import counted
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check

CALLS_LIMIT = 500
TEXT_LIMIT = 1_000
"""Characters of arguments that are compared for likeness, at 30 µs a pair at worst."""
_NO_DIGITS = re.compile(r"\D+")


class NoRepeatedCalls(Check):
    """1 if no call was made more than `max` times in a row, else 0.

    Calls in a row are of one tool with nearly the same arguments, each compared with the one
    before. Arguments whose digits differ are never nearly the same, so that turning pages and
    working through a list of ids is no repetition; nor are those of more than 1,000 characters of
    JSON unless they are equal. Only the first 500 calls are looked at; arguments that are texts of
    JSON with more than 50,000 values in all give the error `ArgumentsTooLarge`.
    """

    id: ClassVar[str] = "check-no-repeated-calls"
    needs_content: ClassVar[bool] = True

    max: Annotated[int, Field(strict=True, ge=1)] = 3
    """How often in a row a call may be made."""
    cutoff: Annotated[float, Field(ge=0, le=1)] = 0.95
    """Likeness from which arguments are nearly the same, 0..1; 1 wants them equal."""

    def __call__(self, run: AgentRun) -> CheckResult:
        tool, count = max(self._rows(run), key=lambda row: row[1], default=("", 0))
        if count <= self.max:
            reason = f"no call was made more than {counted(self.max, 'time')} in a row"
            return CheckResult.hit(reason, actual_count=count)
        return CheckResult.miss(
            f"called {tool:.80} {count} times in a row with nearly the same arguments, "
            f"expected at most {self.max}",
            actual_count=count,
            tool=tool,
        )

    def _rows(self, run: AgentRun) -> Iterator[tuple[str, int]]:
        """Every tool with how often it had been called in a row, call by call."""
        last_tool, last_text, count = "", "", 0
        calls = islice((i for i in run.invocations if i.is_call), CALLS_LIMIT)
        for call, args in arguments_of(calls):
            text = _canonical(args)
            is_repeated = call.name == last_tool and self._are_alike(text, last_text)
            last_tool, last_text, count = call.name, text, count + 1 if is_repeated else 1
            yield last_tool, count

    def _are_alike(self, one: str, other: str) -> bool:
        if one == other:
            return True
        if max(len(one), len(other)) > TEXT_LIMIT or _digits(one) != _digits(other):
            return False
        percent = self.cutoff * 100
        return self.cutoff < 1 and fuzz.ratio(one, other, score_cutoff=percent) >= percent


def _canonical(value: Any) -> str:
    """JSON that is the same for values that are the same."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # a number beyond 64 bits, or a lone surrogate
        return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def _digits(text: str) -> str:
    return _NO_DIGITS.sub("", text)

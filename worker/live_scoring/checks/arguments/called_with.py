"""A check on what a tool was asked for."""

from functools import cached_property
from itertools import islice
from typing import ClassVar, Self

from pydantic import JsonValue, model_validator

from live_scoring.checks.arguments.expected import Expected, Misfit, Mode
from live_scoring.checks.arguments.given import arguments_of
from live_scoring.checks.arguments.written import Reader
from live_scoring.core.ecmascript import one_limit
from live_scoring.core.nearest import called_instead
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check

CALLS_LIMIT = 1_000
"""Calls that are looked at, each in a few microseconds."""
_COUNTED = 100
"""Differences of one call that are counted to find the nearest."""
_SHOWN, _LISTED = 3, 20
"""How many of them the reason and the findings hold."""


class CalledToolWith(Check):
    """1 if `tool` was called at least once with arguments that fit `args`, else 0.

    In `args` a value stands for itself, or is a mapping of one key: `{$regex: "^B"}` (JavaScript's,
    also `{pattern, flags}`), `{$near: {value: 72, tolerance: 0.5}}`, `{$any: true}`,
    `{$one_of: [...]}`, `{$approx: {value: Brooklyn, cutoff: 0.9}}` (a text alike by rapidfuzz's
    ratio, of at most 300 characters). `{$literal: ...}` takes a value as it stands, with keys
    that begin with `$`. Arguments that are a text of JSON are parsed; texts with more than 50,000
    values in all are not, and the outcome is the error `ArgumentsTooLarge`. Only the first 1,000
    calls of the tool are looked at, and all patterns together have the 100 ms of one.
    """

    id: ClassVar[str] = "check-called-tool-with"
    needs_content: ClassVar[bool] = True

    tool: str
    """Name of the tool, exactly."""
    args: dict[str, JsonValue]
    """The arguments, values or matchers."""
    mode: Mode = "subset"
    """`subset`: mappings may have more keys than `args` names; `exact`: they have no others."""

    @model_validator(mode="after")
    def _check_args(self) -> Self:
        _ = self._expected
        return self

    @one_limit()
    def __call__(self, run: AgentRun) -> CheckResult:
        calls = [i for i in run.invocations if i.is_call and i.name == self.tool]
        if not calls:
            return CheckResult.miss(
                f"did not call {self.tool:.80}; {called_instead(self.tool, run.called_tools)}",
                differences=(),
            )
        nearest: list[Misfit] = []
        place = 0
        for number, (_, args) in enumerate(arguments_of(calls[:CALLS_LIMIT]), start=1):
            misfits = list(islice(self._expected.misfits(args, "args"), _COUNTED))
            if not misfits:
                reason = f"call {number} of {len(calls)} of {self.tool:.80} has these arguments"
                return CheckResult.hit(reason, differences=())
            if not nearest or len(misfits) < len(nearest):
                nearest, place = misfits, number
        rest = f"; and {len(nearest) - _SHOWN} more" if len(nearest) > _SHOWN else ""
        begin = f"call {place} of {len(calls)} of {self.tool:.80} is nearest: "
        discreet = dict.fromkeys(misfit.discreet for misfit in nearest[:_SHOWN])
        return CheckResult.miss(
            f"{begin}{'; '.join(misfit.told for misfit in nearest[:_SHOWN])}{rest}",
            f"{begin}{'; '.join(discreet)}{rest}",
            differences=tuple(misfit.told for misfit in nearest[:_LISTED]),
        )

    @cached_property
    def _expected(self) -> Expected:
        return Reader(self.mode).read(self.args, "args")

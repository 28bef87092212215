"""A check by a regular expression."""

from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator

from live_scoring.core.ecmascript import Pattern
from live_scoring.core.quote import quoted
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check


class Matches(Check):
    """1 if the regular expression `pattern` is found in the output, else 0.

    The syntax is JavaScript's; messages are joined without a space. A pattern that takes over
    100 ms of processor time on a text is stopped, and the outcome is the error `PatternTimeout`.
    """

    id: ClassVar[str] = "check-matches"
    needs_content: ClassVar[bool] = True

    pattern: str
    """A JavaScript regular expression, without slashes around it."""
    flags: str = ""
    """Of `d i m s u v`; `g` and `y` are accepted and mean nothing."""
    exact: bool = False
    """The pattern must match from start to end (with flag `m`: of a line)."""

    @model_validator(mode="after")
    def _check_pattern(self) -> Self:
        _ = self._compiled
        return self

    def __call__(self, run: AgentRun) -> CheckResult:
        return self._hit if self._compiled.is_in(run.joined_text) else self._miss

    @cached_property
    def _compiled(self) -> Pattern:
        return Pattern(self.pattern, self.flags, self.exact)

    @cached_property
    def _hit(self) -> CheckResult:
        return CheckResult.hit(f"pattern {quoted(self.pattern)} matches {self._where}")

    @cached_property
    def _miss(self) -> CheckResult:
        return CheckResult.miss(f"pattern {quoted(self.pattern)} does not match {self._where}")

    @property
    def _where(self) -> str:
        return "the whole output" if self.exact else "the output"

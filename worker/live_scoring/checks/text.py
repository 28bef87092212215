"""Checks on the text an agent produced."""

from functools import cached_property
from typing import ClassVar

from live_scoring.core.code_units import PairedText, contains_units
from live_scoring.core.quote import quoted
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check


class Includes(Check):
    """1 if the output contains `expected`, else 0."""

    id: ClassVar[str] = "check-includes"

    expected: PairedText
    """Text to look for."""
    ignore_case: bool = True
    """Compare in lower case."""

    def __call__(self, run: AgentRun) -> CheckResult:
        text = run.spaced_text.lower() if self.ignore_case else run.spaced_text
        return self._hit if contains_units(text, self._wanted) else self._miss

    @cached_property
    def _wanted(self) -> str:
        return self.expected.lower() if self.ignore_case else self.expected

    @cached_property
    def _hit(self) -> CheckResult:
        return CheckResult.hit(f"output contains {quoted(self.expected)}")

    @cached_property
    def _miss(self) -> CheckResult:
        return CheckResult.miss(f"output does not contain {quoted(self.expected)}")


class Excludes(Check):
    """1 if the output does not contain `unwanted`, else 0."""

    id: ClassVar[str] = "check-excludes"

    unwanted: PairedText
    """Text that must not occur."""
    ignore_case: bool = True
    """Compare in lower case."""

    def __call__(self, run: AgentRun) -> CheckResult:
        text = run.spaced_text.lower() if self.ignore_case else run.spaced_text
        return self._miss if contains_units(text, self._wanted) else self._hit

    @cached_property
    def _wanted(self) -> str:
        return self.unwanted.lower() if self.ignore_case else self.unwanted

    @cached_property
    def _hit(self) -> CheckResult:
        return CheckResult.hit(f"output does not contain {quoted(self.unwanted)}")

    @cached_property
    def _miss(self) -> CheckResult:
        return CheckResult.miss(f"output contains {quoted(self.unwanted)}")


class Equals(Check):
    """1 if the output equals `expected`, else 0; messages are joined without a space."""

    id: ClassVar[str] = "check-equals"

    expected: PairedText
    """The whole output."""
    ignore_case: bool = True
    """Compare in lower case."""

    def __call__(self, run: AgentRun) -> CheckResult:
        text = run.joined_text.lower() if self.ignore_case else run.joined_text
        if text == self._wanted:
            return self._hit
        return CheckResult.miss(
            f"output is {quoted(run.joined_text)} ({len(run.joined_text)} characters), "
            f"expected {quoted(self.expected)}"
        )

    @cached_property
    def _wanted(self) -> str:
        return self.expected.lower() if self.ignore_case else self.expected

    @cached_property
    def _hit(self) -> CheckResult:
        return CheckResult.hit(f"output equals {quoted(self.expected)}")

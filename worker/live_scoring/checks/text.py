"""Checks on the text an agent produced."""

from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from live_scoring.core.code_units import PairedText, contains_units
from live_scoring.core.quote import listed, quoted
from live_scoring.core.run import AgentRun, lower
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check, Count

Texts = Annotated[tuple[PairedText, ...], Field(min_length=1, max_length=50)]
Unit = Literal["characters", "words"]

SEVERAL_LIMIT = 250_000
"""Characters that are searched for several texts, each of which takes up to 0.8 ms."""


class Includes(Check):
    """1 if the output contains `expected`, else 0."""

    id: ClassVar[str] = "check-includes"
    needs_content: ClassVar[bool] = True

    expected: PairedText
    """Text to look for."""
    ignore_case: bool = True
    """Compare in lower case."""

    def __call__(self, run: AgentRun) -> CheckResult:
        text = run.spaced_lower if self.ignore_case else run.spaced_text
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
    needs_content: ClassVar[bool] = True

    unwanted: PairedText
    """Text that must not occur."""
    ignore_case: bool = True
    """Compare in lower case."""

    def __call__(self, run: AgentRun) -> CheckResult:
        text = run.spaced_lower if self.ignore_case else run.spaced_text
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


class IncludesAny(Check):
    """1 if the output contains at least one text of `expected`, else 0.

    Only the first 250,000 characters of the output are searched.
    """

    id: ClassVar[str] = "check-includes-any"
    needs_content: ClassVar[bool] = True

    expected: Texts
    """Texts to look for, 1 to 50."""
    ignore_case: bool = True
    """Compare in lower case."""

    def __call__(self, run: AgentRun) -> CheckResult:
        missing = _missing(self.expected, run, ignore_case=self.ignore_case)
        found = tuple(text for text in self.expected if text not in missing)
        if found:
            return CheckResult.hit(f"output contains {quoted(found[0])}", found=found)
        return CheckResult.miss(
            f"output contains none of {_all_quoted(self.expected)}", found=found
        )


class IncludesAll(Check):
    """1 if the output contains every text of `expected`, in whatever order, else 0.

    Only the first 250,000 characters of the output are searched.
    """

    id: ClassVar[str] = "check-includes-all"
    needs_content: ClassVar[bool] = True

    expected: Texts
    """Texts to look for, 1 to 50."""
    ignore_case: bool = True
    """Compare in lower case."""

    def __call__(self, run: AgentRun) -> CheckResult:
        missing = _missing(self.expected, run, ignore_case=self.ignore_case)
        if missing:
            reason = f"output does not contain {_all_quoted(missing)}"
            return CheckResult.miss(reason, missing=missing)
        return CheckResult.hit(f"output contains {_all_quoted(self.expected)}", missing=missing)


class Equals(Check):
    """1 if the output equals `expected`, else 0; messages are joined without a space."""

    id: ClassVar[str] = "check-equals"
    needs_content: ClassVar[bool] = True

    expected: PairedText
    """The whole output."""
    ignore_case: bool = True
    """Compare in lower case."""

    def __call__(self, run: AgentRun) -> CheckResult:
        text = lower(run.joined_text) if self.ignore_case else run.joined_text
        if text == self._wanted:
            return self._hit
        return CheckResult.miss(
            f"output is {quoted(run.joined_text)} ({len(run.joined_text)} characters), "
            f"expected {quoted(self.expected)}",
            f"output of {len(run.joined_text)} characters is not {quoted(self.expected)}",
        )

    @cached_property
    def _wanted(self) -> str:
        return self.expected.lower() if self.ignore_case else self.expected

    @cached_property
    def _hit(self) -> CheckResult:
        return CheckResult.hit(f"output equals {quoted(self.expected)}")


class Length(Check):
    """1 if the output has at most `max` and at least `min` characters, or words, else 0.

    Words are what white space parts, so a language without spaces counts characters.
    """

    id: ClassVar[str] = "check-length"
    needs_content: ClassVar[bool] = True

    max: Count | None = None
    """How many at most."""
    min: Count | None = None
    """How many at least."""
    unit: Unit = "characters"
    """`characters` (code points; messages are joined without a space) or `words`."""

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError("has no bound; give min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min} is above max {self.max}; swap them")
        return self

    def __call__(self, run: AgentRun) -> CheckResult:
        is_words = self.unit == "words"
        length = len(run.spaced_text.split() if is_words else run.joined_text)
        low = 0 if self.min is None else self.min
        is_within = low <= length and (self.max is None or length <= self.max)
        return (CheckResult.hit if is_within else CheckResult.miss)(
            f"output has {length} {self.unit}, expected {self._bounds}", actual_length=length
        )

    @cached_property
    def _bounds(self) -> str:
        bounds = (("at least", self.min), ("at most", self.max))
        return " and ".join(f"{word} {bound}" for word, bound in bounds if bound is not None)


def _missing(expected: tuple[str, ...], run: AgentRun, *, ignore_case: bool) -> tuple[str, ...]:
    text = run.spaced_text[:SEVERAL_LIMIT]
    text = lower(text) if ignore_case else text
    wanted = ((e, e.lower() if ignore_case else e) for e in expected)
    return tuple(e for e, folded in wanted if not contains_units(text, folded))


def _all_quoted(texts: tuple[str, ...]) -> str:
    return listed([quoted(text, 40) for text in texts])

"""A check for text that may be spelled a little otherwise."""

from functools import cached_property
from typing import Annotated, ClassVar

from pydantic import Field, field_validator
from rapidfuzz import fuzz

from live_scoring.core.code_units import PairedText
from live_scoring.core.quote import quoted
from live_scoring.core.run import AgentRun, lower
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check

EXPECTED_LIMIT = 300
TEXT_LIMIT = 20_000
"""Characters of the output that are searched; with the other limit that takes 21 ms at worst."""


class IncludesApprox(Check):
    """1 if a passage of the output is like `expected`, by at least `cutoff`, else 0.

    Likeness is rapidfuzz's partial ratio, 0..1: the best passage as long as `expected`. `expected`
    has at most 300 characters, and only the first 20,000 of the output are searched.
    """

    id: ClassVar[str] = "check-includes-approx"
    needs_content: ClassVar[bool] = True

    expected: PairedText
    """Text to look for."""
    cutoff: Annotated[float, Field(ge=0, le=1)] = 0.9
    """Likeness from which a passage counts, 0..1."""
    ignore_case: bool = True
    """Compare in lower case."""

    @field_validator("expected")
    @classmethod
    def _check_length(cls, expected: str) -> str:
        # Not Field(max_length=…), which refuses lone surrogates.
        if len(expected) > EXPECTED_LIMIT:
            msg = f"has {len(expected)} characters, above {EXPECTED_LIMIT}; shorten it"
            raise ValueError(msg)
        return expected

    def __call__(self, run: AgentRun) -> CheckResult:
        text = run.spaced_text[:TEXT_LIMIT]
        likeness, passage = self._nearest(lower(text) if self.ignore_case else text)
        expected, is_like = quoted(self.expected), likeness >= self.cutoff
        searched = f" (first {TEXT_LIMIT} characters)" if len(run.spaced_text) > TEXT_LIMIT else ""
        bound = f"at least {self.cutoff}" if is_like else f"below {self.cutoff}{searched}"
        return (CheckResult.hit if is_like else CheckResult.miss)(
            f"nearest to {expected} is {quoted(passage)}: {likeness:.4f}, {bound}",
            f"the passage nearest to {expected}: {likeness:.4f}, {bound}",
            similarity=likeness,
            passage=passage,
        )

    def _nearest(self, text: str) -> tuple[float, str]:
        wanted = self._wanted
        if len(text) <= len(wanted):  # a passage is never shorter than what is looked for
            return (1.0 if text == wanted else fuzz.ratio(wanted, text) / 100), text
        found = fuzz.partial_ratio_alignment(wanted, text)
        if found is None or not wanted:
            return float(not wanted), ""
        return found.score / 100, text[found.dest_start : found.dest_end]

    @cached_property
    def _wanted(self) -> str:
        return self.expected.lower() if self.ignore_case else self.expected

"""Checks on what a run reports of its own cost; one that reports nothing is not applicable."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult, NotApplicable
from live_scoring.core.scoring import Check, Count

TokenCount = Literal["total", "input", "output"]
Amount = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]


class MaxDuration(Check):
    """1 if the run took at most `seconds`, else 0; not applicable if it reports no duration."""

    id: ClassVar[str] = "check-max-duration"

    seconds: Amount
    """How long it may take."""

    def __call__(self, run: AgentRun) -> CheckResult | NotApplicable:
        if run.duration_ms is None:
            return NotApplicable("the run reports no duration")
        seconds = run.duration_ms / 1000  # exact to the bit, which 2.3 * 1000 is not
        return (CheckResult.hit if seconds <= self.seconds else CheckResult.miss)(
            f"took {seconds} s, expected at most {self.seconds} s", actual_seconds=seconds
        )


class MaxTokens(Check):
    """1 if the run used at most `max` tokens, else 0; not applicable if it reports no number."""

    id: ClassVar[str] = "check-max-tokens"

    max: Count
    """How many tokens it may use."""
    count: TokenCount = "total"
    """Which tokens: `total` (as reported, else `input` plus `output`), `input` or `output`."""

    def __call__(self, run: AgentRun) -> CheckResult | NotApplicable:
        tokens = self._tokens(run)
        if tokens is None:
            return NotApplicable(f"the run reports no number of {self.count} tokens")
        return (CheckResult.hit if tokens <= self.max else CheckResult.miss)(
            f"used {tokens} {self.count} tokens, expected at most {self.max}", actual_count=tokens
        )

    def _tokens(self, run: AgentRun) -> int | None:
        if self.count == "input":
            return run.input_tokens
        if self.count == "output":
            return run.output_tokens
        if run.total_tokens is None and None not in (run.input_tokens, run.output_tokens):
            return (run.input_tokens or 0) + (run.output_tokens or 0)
        return run.total_tokens


class MaxCost(Check):
    """1 if the run cost at most `usd`, else 0; not applicable if it reports no cost."""

    id: ClassVar[str] = "check-max-cost"

    usd: Amount
    """How many US dollars it may cost."""

    def __call__(self, run: AgentRun) -> CheckResult | NotApplicable:
        if run.cost_usd is None:
            return NotApplicable("the run reports no cost")
        return (CheckResult.hit if run.cost_usd <= self.usd else CheckResult.miss)(
            f"cost {run.cost_usd} USD, expected at most {self.usd} USD",
            actual_usd=run.cost_usd,
        )

"""Gates, thresholds and verdicts: `judge` is the one place that decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from live_scoring.core.window import NANO, Tally

VerdictState = Literal["passed", "scored", "failed", "no_data"]
RuleStatus = Literal["passed", "failed", "insufficient"]
OnError = Literal["fail", "ignore"]
Cause = Literal["score", "error"]

_NOTHING = Tally()


def nano(value: float) -> int:
    """A score or bound in 0..1 as a whole number of 1e-9."""
    return round(value * NANO)


@dataclass(frozen=True, slots=True)
class Gate:
    """A scorer that must score 1 on every run, or on a stated share of them."""

    name: str
    pass_ratio: float | None = None
    """The share that must pass; None is every run."""
    min_failures: int = 1
    """With a ratio: how many runs must have failed before the gate can."""
    on_error: OnError = "fail"
    critical: bool = False
    min_samples: int | None = None
    """Fewer are insufficient; None takes the window's own."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Inclusive bounds on a scorer's mean."""

    name: str
    min: float | None = None
    max: float | None = None
    on_error: OnError = "ignore"
    min_samples: int | None = None


Rule = Gate | Threshold


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What a window says of one rule."""

    rule: Rule
    status: RuleStatus
    samples: int
    """Runs that count for the rule."""
    failures: int
    """Runs that did not pass: of a gate, or errors that a threshold minds."""
    errors: int
    average: float | None
    """Mean score; None without a score."""
    cause: Cause | None = None
    """What failed the rule, a score or an error; None unless it failed."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a window says of an agent, with the result of each rule in order."""

    state: VerdictState
    results: tuple[RuleResult, ...]

    @property
    def failing(self) -> tuple[RuleResult, ...]:
        """The rules that failed or missed their bounds."""
        return tuple(r for r in self.results if r.status == "failed")


def judge(
    tallies: Mapping[str, Tally], rules: Sequence[Rule], min_samples: int = 1
) -> Verdict | None:
    """Judge a window; None where there is neither gate nor threshold to judge by.

    Args:
        tallies: What the window counted, by the scorer's name.
        rules: Gates and thresholds, each with its own `min_samples` or the window's.
        min_samples: The window's; below it a rule is insufficient and left out.
    """
    if not rules:
        return None
    results = tuple(_judge_rule(r, tallies.get(r.name, _NOTHING), min_samples) for r in rules)
    return Verdict(_state(results), results)


def passes(rule: Rule, score: float | None) -> bool:
    """Whether a run with this score (None: an error) leaves the rule unharmed."""
    if score is None:
        return rule.on_error == "ignore"
    if isinstance(rule, Gate):
        return score == 1.0
    return (rule.min is None or score >= rule.min) and (rule.max is None or score <= rule.max)


def _state(results: tuple[RuleResult, ...]) -> VerdictState:
    failed = [r for r in results if r.status == "failed"]
    if any(isinstance(r.rule, Gate) for r in failed):
        return "failed"
    if all(r.status == "insufficient" for r in results):
        return "no_data"
    return "scored" if failed else "passed"


def _judge_rule(rule: Rule, tally: Tally, min_samples: int) -> RuleResult:
    enough = max(1, min_samples if rule.min_samples is None else rule.min_samples)
    if isinstance(rule, Gate):
        return _judge_gate(rule, tally, enough)
    return _judge_threshold(rule, tally, enough)


def _judge_gate(gate: Gate, tally: Tally, enough: int) -> RuleResult:
    counted_errors = tally.errors if gate.on_error == "fail" else 0
    samples = tally.scored + counted_errors
    misses = tally.scored - tally.full
    failures = misses + counted_errors
    if gate.pass_ratio is None:
        has_failed, is_enough = failures > 0, samples >= enough or failures > 0
    else:
        is_short = tally.full * NANO < samples * nano(gate.pass_ratio)
        has_failed, is_enough = is_short and failures >= gate.min_failures, samples >= enough
    return RuleResult(
        gate,
        _status(has_failed=has_failed, is_enough=is_enough),
        samples,
        failures,
        tally.errors,
        tally.average,
        ("score" if misses else "error") if has_failed and is_enough else None,
    )


def _judge_threshold(threshold: Threshold, tally: Tally, enough: int) -> RuleResult:
    counted_errors = tally.errors if threshold.on_error == "fail" else 0
    samples = tally.scored + counted_errors
    low, high = threshold.min, threshold.max
    is_below = low is not None and tally.total < tally.scored * nano(low)
    is_above = high is not None and tally.total > tally.scored * nano(high)
    is_out = is_below or is_above
    has_failed, is_enough = is_out or counted_errors > 0, samples >= enough
    return RuleResult(
        threshold,
        _status(has_failed=has_failed, is_enough=is_enough),
        samples,
        counted_errors,
        tally.errors,
        tally.average,
        ("score" if is_out else "error") if has_failed and is_enough else None,
    )


def _status(*, has_failed: bool, is_enough: bool) -> RuleStatus:
    if not is_enough:
        return "insufficient"
    return "failed" if has_failed else "passed"

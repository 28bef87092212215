"""A rule's figures in words, the same wherever a verdict is told."""

from live_scoring.core.quote import counted
from live_scoring.core.verdict import Gate, RuleResult, Threshold


def figures_of(result: RuleResult) -> str:
    """What the runs came to, and what was asked of them; without the rule's name."""
    match result.rule:
        case Gate() as gate:
            told = _gate(result, gate)
        case Threshold() as threshold:
            scored = result.samples - result.failures
            told = mean_of(result.average, scored) + _bounds(threshold)
    return f"{told}, {counted(result.errors, 'error')}" if result.errors else told


def mean_of(average: float | None, scored: int) -> str:
    """A mean of so many scores, exactly, as a rounded one may seem to be within its bounds."""
    return "no score" if average is None else f"average {average:.9g} of {counted(scored, 'run')}"


def _gate(result: RuleResult, gate: Gate) -> str:
    runs, failures = counted(result.samples, "run"), result.failures
    told = f"{failures:,} of {runs} did not pass" if failures else f"{runs} passed"
    if gate.pass_ratio is None:
        return told
    fewest = f" or fewer than {gate.min_failures:,} fail" if gate.min_failures > 1 else ""
    return f"{told}, at least {gate.pass_ratio:.9g} must{fewest}"


def _bounds(threshold: Threshold) -> str:
    low = "" if threshold.min is None else f", at least {threshold.min:.9g} asked"
    high = "" if threshold.max is None else f", at most {threshold.max:.9g} asked"
    return low + high

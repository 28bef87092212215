"""Figures and times of the status page in words."""

from live_scoring.core.verdict import Gate, RuleResult, Threshold
from live_scoring.core.wire import to_rfc3339

_UNITS = (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000))


def age(ms: int) -> str:
    """A length of time in the largest unit that it has two of, such as `90 min`."""
    for unit, size in _UNITS:
        if ms >= 2 * size:
            return f"{ms // size} {unit}"
    return "1 s" if ms >= 1_000 else "0 s"  # noqa: PLR2004 -- a second


def moment(ms: int) -> str:
    """Milliseconds since the epoch as `2026-11-01 12:00:01 UTC`."""
    return f"{to_rfc3339(ms)[:19].replace('T', ' ')} UTC"


def counted(number: int, noun: str) -> str:
    """A number of things."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def kind_of(result: RuleResult) -> str:
    """What a rule is."""
    match result.rule:
        case Gate(critical=True):
            return "critical gate"
        case Gate():
            return "gate"
        case Threshold():
            return "threshold"


def figure_of(result: RuleResult) -> str:
    """What failed the rule, and what was asked of it."""
    if isinstance(result.rule, Gate):
        return _gate(result, result.rule)
    return _threshold(result, result.rule)


def _gate(result: RuleResult, gate: Gate) -> str:
    asked = "" if gate.pass_ratio is None else f", at least {gate.pass_ratio:.9g} must"
    told = f"{result.failures:,} of {counted(result.samples, 'run')} did not pass"
    return told + asked + _errors(result)


def _threshold(result: RuleResult, threshold: Threshold) -> str:
    average = "no score" if result.average is None else f"average {result.average:.4g}"
    low = "" if threshold.min is None else f", at least {threshold.min:.9g} asked"
    high = "" if threshold.max is None else f", at most {threshold.max:.9g} asked"
    return f"{average} of {counted(result.samples, 'run')}{low}{high}{_errors(result)}"


def _errors(result: RuleResult) -> str:
    return f", {counted(result.errors, 'error')}" if result.errors else ""

"""Times and kinds of rules of the status page in words."""

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


def kind_of(result: RuleResult) -> str:
    """What a rule is."""
    match result.rule:
        case Gate(critical=True):
            return "critical gate"
        case Gate():
            return "gate"
        case Threshold():
            return "threshold"

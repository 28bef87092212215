"""What a backtest's figures are in words, the same in text and on the page."""

from collections.abc import Iterator, Sequence

from live_scoring.backtest.costs import ScorerCost
from live_scoring.backtest.course import Blame, Change, RatioAdvice
from live_scoring.backtest.failing import EXAMPLES
from live_scoring.backtest.flips import RuleFlips
from live_scoring.backtest.report import AgentReport, Backtest, PolicyReport
from live_scoring.core.figures import figures_of
from live_scoring.core.quote import counted, printable
from live_scoring.core.transition import Example
from live_scoring.core.verdict import RuleResult
from live_scoring.core.wire import to_rfc3339


def range_of(backtest: Backtest) -> str:
    """The range, or that there is none."""
    if backtest.from_ms is None or backtest.to_ms is None:
        return "no run was read"
    return f"{moment(backtest.from_ms)} to {moment(backtest.to_ms)}"


def moment(ms: int) -> str:
    """Milliseconds since the epoch as `2026-11-01 12:00:01Z`."""
    return f"{to_rfc3339(ms)[:19].replace('T', ' ')}Z"


def duration(ms: float) -> str:
    """A length of time in its two largest units, such as `2 d 3 h`."""
    parts, rest = [], round(ms)
    for unit, size in (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000)):
        number, rest = divmod(rest, size)
        if number:
            parts.append(f"{number} {unit}")
    return " ".join(parts[:2]) or f"{ms:.0f} ms"


def share(value: float) -> str:
    """A share in percent, so that only all is 100 % and only nothing 0 %."""
    if value in {0, 1}:
        return f"{value:.0%}"
    return f"{min(max(value, 0.001), 0.999):.1%}"


def blame(blame: Blame) -> str:
    """A rule and what it says."""
    return f"{printable(blame.result.rule.name)}: {_result(blame.result)}"


def _result(result: RuleResult) -> str:
    if result.status == "insufficient":
        return f"too few samples, {result.samples:,}"
    return figures_of(result)


def why(change: Change) -> str:
    """What is behind a change, when no rule is."""
    if change.blames:
        return ""
    return "too few samples" if change.state == "no_data" else "enough samples"


def example(example: Example) -> str:
    """A run and its reason, if it has one."""
    return ": ".join(printable(told) for told in (example.run_id, example.reason) if told)


def failures(policy: PolicyReport) -> str:
    """How often it became `failed`, and how many runs failed a critical gate."""
    parts = [f"became failed {counted(policy.into_failed, 'time')}"]
    for gate, runs in policy.critical_failures.items():
        parts.append(f"{counted(runs, 'run')} failed the critical gate {printable(gate)}")
    return ", ".join(parts)


def rule_changes(agent: AgentReport) -> Iterator[str]:
    """Rules that only one of the policies has, or that differ."""
    for words, names in (
        ("added", agent.rules.added),
        ("removed", agent.rules.removed),
        ("changed", agent.rules.changed),
    ):
        if names:
            yield f"{words}: {', '.join(map(printable, names))}"


def flips(flips: RuleFlips) -> Iterator[tuple[str, tuple[Example, ...]]]:
    """Each kind of flip with its first examples."""
    for runs, told, examples in (
        (flips.broken, "passed and would fail", flips.broken_examples),
        (flips.mended, "failed and would pass", flips.mended_examples),
    ):
        if runs:
            yield f"{printable(flips.rule)}: {counted(runs, 'run')} {told}", examples[:EXAMPLES]


def rate(cost: ScorerCost) -> str:
    """The configured rate."""
    return f"{cost.sampling.rate:g}{' and failed runs' * cost.sampling.always_on_error}"


def worth_showing(changes: Sequence[Change], limit: int) -> list[Change]:
    """At most so many changes, those into `failed` before others, by time."""
    first = sorted(changes, key=lambda change: (change.state != "failed", change.at_ms))
    return sorted(first[:limit], key=lambda change: change.at_ms)


def advice(advice: RatioAdvice) -> str:
    """What `pass_ratio` a gate that was never green would need."""
    gate = printable(advice.gate)
    if advice.ever == 0:
        return f"{gate} was never green, and no pass_ratio would have made it so"
    if advice.always == advice.ever:
        ratios = f"with pass_ratio {advice.always:g} it would always have been"
    elif advice.always == 0:
        ratios = f"with pass_ratio up to {advice.ever:g} it would have been at times"
    else:
        always = f"with pass_ratio {advice.always:g} it would always have been"
        ratios = f"{always}, up to {advice.ever:g} at times"
    return f"{gate} was never green; {ratios}, above that never"

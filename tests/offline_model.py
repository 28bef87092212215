"""The plainest computation of what windows and verdicts must be, to compare the worker with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from live_scoring.core.score import OutcomeKind
from live_scoring.core.verdict import Gate, Rule, RuleStatus, Threshold, VerdictState


@dataclass(frozen=True, slots=True)
class ScoreFact:
    """One record of the scores topic, as far as windows care."""

    agent: str
    group: str
    scorer: str
    run_id: str
    at_ms: int
    outcome: OutcomeKind
    score: float | None


@dataclass(frozen=True, slots=True)
class Expected:
    """What a window must have counted of one scorer."""

    scores: tuple[float, ...]
    errors: int

    @property
    def samples(self) -> int:
        return len(self.scores)

    @property
    def mean(self) -> Fraction | None:
        """Exact mean of the scores, each rounded to 1e-9."""
        return sum(map(_exact, self.scores), Fraction()) / self.samples if self.scores else None

    @property
    def average(self) -> float | None:
        return None if self.mean is None else float(self.mean)


NOTHING = Expected((), 0)


def _exact(value: float) -> Fraction:
    return Fraction(round(value * 1_000_000_000), 1_000_000_000)


def is_inside(at_ms: int, length_ms: int, now_ms: int) -> bool:
    """Whether a time is in the window of that length at `now_ms`."""
    pane_ms = max(1, length_ms // 30)
    return now_ms // pane_ms - 30 < at_ms // pane_ms <= now_ms // pane_ms


def firsts(facts: Iterable[ScoreFact]) -> list[ScoreFact]:
    """The first fact of each run and scorer of an agent; later ones are repeats."""
    found: dict[tuple[str, str, str, str], ScoreFact] = {}
    for fact in facts:
        found.setdefault((fact.agent, fact.group, fact.run_id, fact.scorer), fact)
    return list(found.values())


def expect_windows(
    facts: Iterable[ScoreFact], length_ms: int, now_ms: int
) -> dict[tuple[str, str, str], Expected]:
    """What the window must hold at `now_ms`, by agent, group and scorer, if none came late."""
    held: dict[tuple[str, str, str], Expected] = {}
    for fact in firsts(facts):
        if not is_inside(fact.at_ms, length_ms, now_ms) or fact.outcome == "not_applicable":
            continue
        key = (fact.agent, fact.group, fact.scorer)
        before = held.get(key, NOTHING)
        if fact.score is None:
            held[key] = Expected(before.scores, before.errors + 1)
        else:
            held[key] = Expected((*before.scores, fact.score), before.errors)
    return held


def expect_status(rule: Rule, seen: Expected, min_samples: int) -> RuleStatus:
    """What the rule must say of the scores and errors in a window."""
    wanted = max(1, min_samples if rule.min_samples is None else rule.min_samples)
    errors = seen.errors if rule.on_error == "fail" else 0
    is_enough = seen.samples + errors >= wanted
    if isinstance(rule, Gate):
        failures = sum(score != 1 for score in seen.scores) + errors
        if rule.pass_ratio is None:
            return "failed" if failures else "passed" if is_enough else "insufficient"
        share = 1 - Fraction(failures, max(1, seen.samples + errors))
        has_failed = share < _exact(rule.pass_ratio) and failures >= rule.min_failures
    else:
        has_failed = errors > 0 or not _is_within(rule, seen.mean)
    return "insufficient" if not is_enough else "failed" if has_failed else "passed"


def _is_within(threshold: Threshold, mean: Fraction | None) -> bool:
    if mean is None:
        return True
    low, high = threshold.min, threshold.max
    return (low is None or mean >= _exact(low)) and (high is None or mean <= _exact(high))


def expect_verdict(
    seen: dict[str, Expected], rules: Sequence[Rule], min_samples: int = 1
) -> VerdictState | None:
    """The verdict that must follow from what a window holds, by scorer."""
    statuses = [
        (rule, expect_status(rule, seen.get(rule.name, NOTHING), min_samples)) for rule in rules
    ]
    if not statuses:
        return None
    if any(isinstance(rule, Gate) and status == "failed" for rule, status in statuses):
        return "failed"
    if all(status == "insufficient" for _, status in statuses):
        return "no_data"
    return "scored" if any(status == "failed" for _, status in statuses) else "passed"

"""Averages and verdict of an evaluation, to the float as the reference computes them."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from live_scoring.evals.panel import Panel
from live_scoring.evals.results import (
    Answered,
    Bounds,
    EvalResult,
    EvalVerdict,
    GateResult,
    ItemResult,
    Summary,
    ThresholdResult,
)


def conclude(panel: Panel, items: Sequence[ItemResult]) -> EvalResult:
    """Sum up the items' answers, in the order of the data."""
    gates, thresholds = tuple(_gates(panel, items)), tuple(_thresholds(panel, items))
    return EvalResult(
        scores=dict(_scores(panel, items)),
        summary=Summary(total_items=len(items), not_scorable=_not_scorable(items) or None),
        gate_results=gates,
        threshold_results=thresholds,
        verdict=_verdict(gates, thresholds),
        items=tuple(items),
    )


def average(scores: Sequence[float]) -> float:
    """The mean by a plain sum from left to right.

    0.7 three times gives 0.6999999999999998: `sum` and `math.fsum` would give something else.
    """
    total = 0.0
    for score in scores:
        total += score
    return total / len(scores)


def _scores(panel: Panel, items: Sequence[ItemResult]) -> Iterator[tuple[str, float]]:
    for place, tracked in enumerate(panel.scorers):
        answers = [item.scorers[place] for item in items]
        given = [answer.score for answer in answers if answer.score is not None]
        if given:
            yield tracked.scorer.id, average(given)


def _gates(panel: Panel, items: Sequence[ItemResult]) -> Iterator[GateResult]:
    for place, gate in enumerate(panel.gates):
        scores = _applied(item.gates[place] for item in items)
        if scores:
            score = average(scores)
            yield GateResult(id=gate.id, passed=score == 1.0, score=score)


def _thresholds(panel: Panel, items: Sequence[ItemResult]) -> Iterator[ThresholdResult]:
    for place, tracked in enumerate(panel.scorers):
        scores = _applied(item.scorers[place] for item in items)
        if scores and tracked.threshold is not None:
            mean = average(scores)
            yield ThresholdResult(
                id=tracked.scorer.id,
                passed=_is_within(tracked.threshold, mean),
                average_score=mean,
                threshold=tracked.threshold,
            )


def _applied(answers: Iterable[Answered]) -> list[float]:
    """Scores of the items it applied to; a missing one, or an error, counts 0."""
    return [answer.score or 0.0 for answer in answers if answer.kind != "not_applicable"]


def _is_within(threshold: float | Bounds, mean: float) -> bool:
    bounds = threshold if isinstance(threshold, Bounds) else Bounds(min=threshold)
    low = -math.inf if bounds.min is None else bounds.min
    high = math.inf if bounds.max is None else bounds.max
    return math.isfinite(mean) and low <= mean <= high


def _verdict(
    gates: Sequence[GateResult], thresholds: Sequence[ThresholdResult]
) -> EvalVerdict | None:
    if not gates and not thresholds:
        return None
    if not all(gate.passed for gate in gates):
        return "failed"
    return "passed" if all(threshold.passed for threshold in thresholds) else "scored"


def _not_scorable(items: Iterable[ItemResult]) -> Counter[str]:
    return Counter(
        answer.id
        for item in items
        for answer in (*item.gates, *item.scorers)
        if answer.kind == "not_applicable"
    )

"""What counts how: averages to the float, bounds, errors, and the verdict."""

from typing import Any

import pytest

from live_scoring import checks, create_scorer, run_evals
from live_scoring.evals import Bounds, GateResult, ThresholdResult
from live_scoring.scorers import ScorerError
from tests.builders import run_calling
from tests.evals.telling import gated, scored, telling


def test_gates_and_scorers_come_to_a_verdict() -> None:
    result = run_evals(
        data=[{"input": "Weather in Brooklyn?"}],
        target=lambda question: run_calling("get_weather", input=question),
        gates=[checks.called_tool("get_weather"), checks.no_tool_errors()],
        scorers=[(checks.includes("sunny"), 0.7), checks.used_no_tools(name="tools")],
    )
    assert result.to_dict() == {
        "scores": {"check-includes": 0, "tools": 0},
        "summary": {"totalItems": 1},
        "gateResults": [
            {"id": "check-called-tool", "passed": True, "score": 1},
            {"id": "check-no-tool-errors", "passed": True, "score": 1},
        ],
        "thresholdResults": [
            {"id": "check-includes", "passed": False, "averageScore": 0, "threshold": 0.7}
        ],
        "verdict": "scored",
    }


def test_a_failed_gate_fails_whatever_the_thresholds_say() -> None:
    result = scored(1, 0.5, gates=[telling()], scorers=[(telling(), 0.5)])
    assert result.gate_results == (GateResult(id="told", passed=False, score=0.75),)
    assert result.verdict == "failed"


def test_scorers_without_thresholds_are_tracked_without_a_verdict() -> None:
    result = scored(1, 0.5)
    assert result.to_dict() == {"scores": {"told": 0.75}, "summary": {"totalItems": 2}}


def test_gates_alone_are_enough() -> None:
    assert gated(1, 1).verdict == "passed"
    assert gated(1, 1).scores == {}


def test_averages_are_plain_float_sums_from_left_to_right() -> None:
    result = scored(0.7, 0.7, 0.7, scorers=[(telling(), 0.7)])
    assert result.threshold_results[0].average_score == 0.6999999999999998
    assert result.verdict == "scored"


def test_bounds_are_inclusive_and_zero_is_a_bound() -> None:
    exact: dict[str, Any] = {"scorer": telling(), "threshold": {"min": 0.5, "max": 0.5}}
    result = scored(0.5, scorers=[exact])
    assert result.threshold_results == (
        ThresholdResult(
            id="told", passed=True, average_score=0.5, threshold=Bounds(min=0.5, max=0.5)
        ),
    )
    assert scored(0.1, scorers=[(telling(), {"max": 0})]).verdict == "scored"
    assert scored(0, scorers=[(telling(), 0)]).verdict == "passed"


def test_a_gate_that_raises_counts_zero_and_is_shown_as_an_error() -> None:
    result = gated("boom", 1)
    assert result.gate_results == (GateResult(id="told", passed=False, score=0.5),)
    (answer,) = result.items[0].gates
    assert (answer.kind, answer.score) == ("error", None)
    assert answer.reason.startswith("told: ValueError: could not convert")


def test_a_scorer_that_raises_ends_the_evaluation_and_is_named() -> None:
    with pytest.raises(ScorerError, match=r"^told: ValueError"):
        scored(1, "boom")


def test_a_missing_score_is_out_of_scores_and_zero_in_gates_and_thresholds() -> None:
    result = scored(None, 1, gates=[telling()], scorers=[(telling(), 0.5)])
    assert result.scores == {"told": 1}
    assert result.gate_results[0].score == 0.5
    assert result.threshold_results[0].average_score == 0.5
    assert scored(None).scores == {}


def test_not_applicable_counts_nowhere_but_in_the_summary() -> None:
    result = scored("n/a", 1, gates=[telling()], scorers=[(telling(), 1)])
    assert result.verdict == "passed"
    assert result.scores == {"told": 1}
    assert result.summary.not_scorable == {"told": 2}
    assert result.to_dict()["summary"] == {"totalItems": 2, "notScorable": {"told": 2}}
    assert result.items[0].gates[0].reason == "not here"


def test_what_applied_to_no_item_is_dropped_from_results_and_verdict() -> None:
    result = scored("n/a", gates=[telling()], scorers=[(telling(), 1)])
    assert result.to_dict() == {
        "scores": {},
        "summary": {"totalItems": 1, "notScorable": {"told": 2}},
    }


@pytest.mark.parametrize("score", ["nan", "inf", "-inf"])
def test_a_number_that_is_not_finite_fails_gate_and_threshold(score: str) -> None:
    assert not gated(score).gate_results[0].passed
    assert scored(score, scorers=[(telling(), 0)]).verdict == "scored"
    assert scored(score, scorers=[(telling(), {"max": 1})]).verdict == "scored"


def test_true_scores_one() -> None:
    scorer = create_scorer("s", generate_score=lambda _: True)
    assert scored("x", gates=[scorer], scorers=[]).verdict == "passed"

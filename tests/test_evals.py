"""`run_evals`: who is asked when, what counts how, and what is refused before anything runs."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from live_scoring import (
    AgentRun,
    EvalResult,
    Message,
    NotApplicable,
    arun_evals,
    checks,
    create_scorer,
    run_evals,
)
from live_scoring.core.scoring import Given, NamedScorer
from live_scoring.evals import Bounds, EvalError, GateResult, ThresholdResult
from live_scoring.scorers import ScorerError
from tests.builders import run_calling, run_saying


def saying_it(text: Any) -> AgentRun:
    """A target that says what it is given."""
    return run_saying(str(text))


def telling(name: str = "told") -> NamedScorer:
    """A scorer that answers what the run says, or raises at a word that is no answer."""

    def ask(run: AgentRun) -> Given:
        match run.spaced_text:
            case "None":
                return None
            case "n/a":
                return NotApplicable("not here")
            case number:
                return float(number)

    return NamedScorer(name, ask)


def scored(*told: Any, **panel: Any) -> EvalResult:
    return run_evals(data=told, target=saying_it, **({"scorers": [telling()]} | panel))


def gated(*told: Any) -> EvalResult:
    return scored(*told, gates=[telling()], scorers=[])


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


def test_items_tell_what_each_scorer_found() -> None:
    scorer = create_scorer("s", preprocess=lambda _: [1], generate_score=lambda _: 0)
    result = scored("x", gates=[checks.called_tool("search")], scorers=[scorer])
    (item,) = result.items
    assert (item.index, item.run_id) == (0, "run-1")
    assert item.gates[0].findings == {"actual_count": 0}
    assert item.scorers[0].findings == {"preprocess": [1], "generate_score": 0}


def test_a_gate_and_a_scorer_may_share_an_id() -> None:
    assert scored(1, gates=[telling()], scorers=[telling()]).verdict == "passed"


@pytest.mark.parametrize("role", ["gates", "scorers"])
def test_two_of_one_id_are_refused_with_the_remedy(role: str) -> None:
    panel = {role: [checks.includes("a"), checks.includes("b")]}
    with pytest.raises(EvalError, match=f"^{role}: 2 of them are check-includes; .* name="):
        scored(1, **panel)


@pytest.mark.parametrize(
    ("threshold", "message"),
    [
        (1.5, "threshold: 1.5 is out of bounds; give a number from 0 to 1"),
        (float("nan"), "threshold: nan is out of bounds; give a number from 0 to 1"),
        (True, "threshold: True is out of bounds; give a number from 0 to 1"),
        ({"min": -1}, "threshold.min: -1 is out of bounds; give a number from 0 to 1"),
        ({"min": 0.5, "max": 0.4}, "threshold: min 0.5 is above max 0.4; exchange them"),
        ({}, "threshold: has []; give min or max or both"),
        ({"mim": 0.5}, "threshold: has ['mim']; give min or max or both"),
    ],
)
def test_impossible_bounds_are_refused(threshold: Any, message: str) -> None:
    with pytest.raises(EvalError) as caught:
        scored(1, scorers=[(telling(), threshold)])
    assert str(caught.value) == f"scorers: told: {message}"


def test_nothing_to_run_no_data_and_no_concurrency_are_refused() -> None:
    with pytest.raises(EvalError, match="nothing to run"):
        scored(1, scorers=[])
    with pytest.raises(EvalError, match="data: no items"):
        scored()
    with pytest.raises(EvalError, match="concurrency: 0 is below 1"):
        scored(1, concurrency=0)


def test_a_target_may_be_a_coroutine_function_that_answers_messages() -> None:
    async def target(text: str) -> list[Any]:
        await asyncio.sleep(0)
        return [Message(role="assistant", text=text), {"role": "assistant", "text": "!"}]

    result = run_evals(data=["hello"], target=target, gates=[checks.equals("hello!")])
    assert result.verdict == "passed"
    assert result.items[0].run_id == "item-0"


@pytest.mark.parametrize(
    "made",
    ["hello!", {"output": [{"role": "assistant", "text": "hello!"}]}, {"runId": "r", "output": []}],
)
def test_a_target_may_answer_a_text_or_a_run_as_a_mapping(made: Any) -> None:
    result = run_evals(data=["x"], target=lambda _: made, gates=[checks.excludes("bye")])
    assert result.verdict == "passed"
    assert result.items[0].run_id == ("r" if "runId" in made else "item-0")


def test_a_target_that_raises_ends_the_evaluation_and_names_its_item() -> None:
    def target(text: str) -> AgentRun:
        raise KeyError(text)

    with pytest.raises(EvalError, match=r"^data\[0\]: target: KeyError: 'hello'$"):
        run_evals(data=["hello"], target=target, gates=[telling()])


@pytest.mark.parametrize("made", [None, 5, [{"role": "assistant"}], {"run_id": "r"}])
def test_a_target_that_answers_no_run_is_told_what_to_answer(made: Any) -> None:
    with pytest.raises(EvalError, match=r"^data\[0\]: target: output.*answer a run, mess"):
        run_evals(data=["hello"], target=lambda _: made, gates=[telling()])


async def numbered(count: int) -> AsyncIterator[int]:
    for number in range(count):
        yield number


def test_data_may_be_any_iterable_also_an_async_one() -> None:
    def is_even(run: AgentRun) -> float:
        return int(run.spaced_text) % 2 == 0

    for data in (range(4), iter(range(4)), numbered(4)):
        assert run_evals(data=data, target=saying_it, scorers=[is_even]).scores == {"is_even": 0.5}


def test_concurrency_overlaps_items_and_changes_no_result() -> None:
    under_way, most = 0, 0

    async def target(number: int) -> AgentRun:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        for _ in range(10 - number):  # later items overtake earlier ones
            await asyncio.sleep(0)
        under_way -= 1
        return run_saying(str(number / 10))

    def evaluated(concurrency: int) -> EvalResult:
        return run_evals(
            data=range(10), target=target, scorers=[(telling(), 0.3)], concurrency=concurrency
        )

    alone = evaluated(1)
    assert most == 1
    assert evaluated(4) == alone
    assert most == 4


def test_an_error_stops_the_items_under_way() -> None:
    ended: list[int] = []

    async def target(number: int) -> AgentRun:
        if number == 0:
            raise ValueError("first")
        await asyncio.sleep(60)
        ended.append(number)
        return run_saying("1")

    with pytest.raises(EvalError, match="ValueError: first"):
        run_evals(data=range(3), target=target, gates=[telling()], concurrency=3)
    assert ended == []


def test_gates_are_asked_before_scorers_item_by_item() -> None:
    calls: list[str] = []

    def noting(name: str) -> NamedScorer:
        def ask(run: AgentRun) -> float:
            calls.append(f"{name}{run.spaced_text}")
            return 1.0

        return NamedScorer(name, ask)

    scored(1, 2, gates=[noting("g"), noting("h")], scorers=[noting("s")])
    assert calls == ["g1", "h1", "s1", "g2", "h2", "s2"]


def test_a_running_event_loop_awaits_arun_evals() -> None:
    async def main() -> EvalResult:
        return await arun_evals(data=[1], target=saying_it, gates=[telling()])

    assert asyncio.run(main()) == gated(1)

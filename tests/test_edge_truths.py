"""Truths at the edges, where an implementation slips first; live and `run_evals` alike."""

from collections.abc import Sequence
from typing import Any

import pytest

from live_scoring import AgentRun, EvalResult, StepContext, checks, create_scorer, run_evals
from live_scoring.core.batch import process
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.score import CheckResult, NotApplicable, Score
from live_scoring.core.scoring import NamedScorer, Scorer
from live_scoring.core.verdict import Gate, Rule, Threshold, Verdict, judge
from live_scoring.core.window import Tally, WindowSpec
from tests.builders import SOURCE, call, run_calling, run_saying

SILENT = run_saying()
NAME = "it"
NOTHING_EXPECTED = [
    (checks.includes(""), True),
    (checks.excludes(""), False),
    (checks.equals(""), True),
    (checks.matches(""), True),
    (checks.matches("", exact=True), True),
    (checks.similarity(""), True),
    (checks.similarity("", metric="ratio"), True),
    (checks.similarity("", metric="jaro_winkler"), True),
    (checks.includes_approx(""), True),
    (checks.includes_any([""]), True),
    (checks.includes_all([""]), True),
    (checks.length(0), True),
    (checks.length(min=0), True),
    (checks.length(0, unit="words"), True),
    (checks.json_schema({}), False),
    (checks.called_tool(""), False),
    (checks.called_tool("", times=0), True),
    (checks.called_tool_with("", args={}), False),
    (checks.did_not_call(""), True),
    (checks.tool_order([]), True),
    (checks.max_tool_calls(0), True),
    (checks.used_no_tools(), True),
    (checks.no_tool_errors(), True),
    (checks.tool_succeeded(""), False),
    (checks.allowed_tools([]), True),
    (checks.no_repeated_calls(1), True),
]
REPORTED = [checks.max_duration(0), checks.max_tokens(0), checks.max_cost(0)]


def asked_live(ask: Any, run: AgentRun = SILENT) -> Score:
    """The score of a run as the worker publishes it."""
    scorer = Scorer(NAME, "gate", "check-it", "0" * 12, ask)
    agent = AgentPlan(run.agent_id, (WindowSpec("5m", 300_000),), (scorer,), ())
    (score,) = process(run, SOURCE, Plan((agent,)), now_ms=0).scores
    return score


def judged_live(ask: Any, rule: Rule) -> Verdict:
    """The verdict of a window that holds this one score."""
    tally = Tally()
    tally.count(asked_live(ask).score)
    verdict = judge({NAME: tally}, [rule])
    assert verdict is not None
    return verdict


def evaluated(gates: Sequence[Any] = (), scorers: Sequence[Any] = ()) -> EvalResult:
    return run_evals(data=["question"], target=lambda _: SILENT, gates=gates, scorers=scorers)


def answering(score: float) -> NamedScorer:
    return NamedScorer(NAME, lambda _: CheckResult(score))


def passes(scorer: NamedScorer, run: AgentRun) -> bool:
    answer = scorer.ask(run)
    assert isinstance(answer, CheckResult)
    return answer.score == 1


def test_a_threshold_of_0_is_a_bound_that_everything_reaches() -> None:
    zero = answering(0)
    assert judged_live(zero.ask, Threshold(NAME, min=0)).state == "passed"
    result = evaluated(scorers=[(zero, 0)])
    assert (result.verdict, len(result.threshold_results)) == ("passed", 1)


@pytest.mark.parametrize(("score", "state"), [(0, "passed"), (1e-9, "scored"), (1, "scored")])
def test_a_max_of_0_is_a_bound_that_only_0_keeps(score: float, state: str) -> None:
    scorer = answering(score)
    assert judged_live(scorer.ask, Threshold(NAME, max=0)).state == state
    assert evaluated(scorers=[(scorer, {"max": 0})]).verdict == state


def test_true_scores_1() -> None:
    def ask(_: AgentRun) -> CheckResult:
        return CheckResult(score=True)

    score = asked_live(ask).score
    assert (type(score), score) == (float, 1.0)
    assert judged_live(ask, Gate(NAME)).state == "passed"
    for scorer in (NamedScorer(NAME, ask), create_scorer(NAME, generate_score=lambda _: True)):
        result = evaluated(gates=[scorer], scorers=[scorer])
        assert (result.verdict, result.scores) == ("passed", {NAME: 1.0})


@pytest.mark.parametrize(
    ("scorer", "is_passed"),
    NOTHING_EXPECTED,
    ids=lambda value: value.id if isinstance(value, NamedScorer) else "",
)
def test_nothing_expected_of_a_run_that_says_and_does_nothing(
    scorer: NamedScorer, is_passed: bool
) -> None:
    assert passes(scorer, SILENT) == is_passed


@pytest.mark.parametrize(
    ("scorer", "is_passed"),
    [
        (checks.includes("a"), False),
        (checks.excludes("a"), True),
        (checks.equals("a"), False),
        (checks.matches("a"), False),
        (checks.similarity("ab", threshold=0.01), False),
        (checks.includes_approx("a"), False),
        (checks.includes_any(["a", "b"]), False),
        (checks.includes_all(["a", ""]), False),
        (checks.length(min=1), False),
        (checks.called_tool("a"), False),
        (checks.called_tool_with("a", args={"b": {"$any": True}}), False),
        (checks.did_not_call("a"), True),
        (checks.tool_order(["a"]), False),
        (checks.tool_succeeded("a"), False),
        (checks.allowed_tools(["a"]), True),
    ],
    ids=lambda value: value.id if isinstance(value, NamedScorer) else "",
)
def test_something_expected_of_a_run_that_says_and_does_nothing(
    scorer: NamedScorer, is_passed: bool
) -> None:
    assert passes(scorer, SILENT) == is_passed


@pytest.mark.parametrize(
    ("scorer", "is_passed"),
    [
        (checks.includes(""), True),
        (checks.excludes(""), False),
        (checks.equals(""), False),
        (checks.matches(""), True),
        (checks.matches("", exact=True), False),
        (checks.similarity("", threshold=0.01), False),
        (checks.includes_approx(""), True),
        (checks.includes_any(["", "x"]), True),
        (checks.includes_all([""]), True),
        (checks.length(0), False),
        (checks.called_tool_with("search", args={}), True),
        (checks.called_tool_with("search", args={}, mode="exact"), True),
        (checks.allowed_tools([]), False),
        (checks.tool_order([]), True),
        (checks.max_tool_calls(0), False),
    ],
    ids=lambda value: value.id if isinstance(value, NamedScorer) else "",
)
def test_nothing_expected_of_a_run_that_says_and_does_something(
    scorer: NamedScorer, is_passed: bool
) -> None:
    calling = run_calling("search")
    talking = AgentRun(
        run_id="run-1", agent_id="agent-1", output=(*run_saying("ab").output, *calling.output)
    )
    assert passes(scorer, talking) == is_passed


def test_every_check_is_asked_about_a_run_that_says_and_does_nothing() -> None:
    asked = [*(scorer for scorer, _ in NOTHING_EXPECTED), *REPORTED]
    assert {scorer.id for scorer in asked} == {check.id for check in checks.CHECKS.values()}


@pytest.mark.parametrize("scorer", REPORTED, ids=lambda scorer: scorer.id)
def test_what_a_run_does_not_report_is_not_0(scorer: NamedScorer) -> None:
    assert isinstance(scorer.ask(SILENT), NotApplicable)
    assert asked_live(scorer.ask).outcome == "not_applicable"
    result = evaluated(gates=[scorer], scorers=[scorer])
    assert (result.verdict, result.scores) == (None, {})
    assert result.summary.not_scorable == {scorer.id: 2}


def test_two_identical_calls_with_two_ids_are_two() -> None:
    twice = run_calling(call("pay", id="1"), call("pay", id="2"))
    assert passes(checks.called_tool("pay", times=2), twice)
    assert passes(checks.tool_order(["pay", "pay"]), twice)
    assert not passes(checks.max_tool_calls(1), twice)
    assert not passes(checks.no_repeated_calls(1), twice)


def test_a_text_that_quotes_a_forbidden_command_trips_excludes_and_no_tool_check() -> None:
    quoting = run_saying('Never call delete_user: {"tool": "delete_user", "args": {"id": 1}}')
    assert not passes(checks.excludes("delete_user"), quoting)
    assert passes(checks.did_not_call("delete_user"), quoting)
    assert passes(checks.used_no_tools(), quoting)
    assert passes(checks.allowed_tools([]), quoting)
    assert passes(checks.max_tool_calls(0), quoting)
    assert not passes(checks.called_tool("delete_user"), quoting)
    assert not passes(checks.called_tool_with("delete_user", args={}), quoting)
    assert not passes(checks.tool_succeeded("delete_user"), quoting)


def test_a_gate_whose_scorer_raises_is_an_error_and_does_not_pass() -> None:
    def raising(_: AgentRun) -> CheckResult:
        raise ValueError("out of order")

    score = asked_live(raising)
    assert (score.outcome, score.score) == ("error", None)
    assert (score.error_type, score.error_message) == ("ValueError", "")
    (gate,) = judged_live(raising, Gate(NAME)).failing
    assert (gate.cause, gate.errors, gate.average) == ("error", 1, None)

    result = evaluated(gates=[NamedScorer(NAME, raising)])
    (answer,) = result.items[0].gates
    assert (result.verdict, answer.kind, answer.score) == ("failed", "error", None)
    assert "ValueError: out of order" in answer.reason


def test_a_gate_whose_step_raises_names_the_step() -> None:
    def raising(_: StepContext) -> float:
        raise ValueError("out of order")

    result = evaluated(gates=[create_scorer(NAME, generate_score=raising)])
    (answer,) = result.items[0].gates
    assert (result.verdict, answer.kind) == ("failed", "error")
    assert "generate_score" in answer.reason

"""Scorers of one's own: the steps, what they may answer, and what is said when they fail."""

import asyncio
from typing import Any

import pytest

from live_scoring import CheckResult, NotApplicable, StepContext, create_scorer
from live_scoring.checks.text import Includes
from live_scoring.core.scoring import NamedScorer
from live_scoring.scorers import ScorerError, Step, ask, name_scorer
from tests.builders import run_saying

RUN = run_saying("hello")
STEPS = ["preprocess", "analyze", "generate_score", "generate_reason"]
Answer = CheckResult | NotApplicable | None


def asked(scorer: NamedScorer) -> Answer:
    return asyncio.run(ask(scorer, RUN))


def raising(_: object) -> float:
    raise ValueError("no\ngood")


def test_each_step_sees_the_run_and_what_came_before_it() -> None:
    seen: list[StepContext] = []

    def step(answer: Any) -> Step:
        def take(context: StepContext) -> Any:
            seen.append(context)
            return answer

        return take

    answer = asked(
        create_scorer(
            "s",
            preprocess=step("p"),
            analyze=step("a"),
            generate_score=step(0.5),
            generate_reason=step("because"),
        )
    )
    assert seen == [
        StepContext(RUN),
        StepContext(RUN, "p"),
        StepContext(RUN, "p", "a"),
        StepContext(RUN, "p", "a", 0.5),
    ]
    steps = {"preprocess": "p", "analyze": "a", "generate_score": 0.5, "generate_reason": "because"}
    assert answer == CheckResult(0.5, "because", steps)


def test_only_the_score_is_required() -> None:
    scorer = create_scorer("s", generate_score=lambda step: step.run.spaced_text == "hello")
    assert asked(scorer) == CheckResult(1.0, "", {"generate_score": True})


def test_steps_may_be_coroutine_functions() -> None:
    async def preprocess(step: StepContext) -> int:
        await asyncio.sleep(0)
        return len(step.run.spaced_text)

    async def generate_score(step: StepContext) -> float:
        return float(step.preprocess / 10)

    answer = asked(create_scorer("s", preprocess=preprocess, generate_score=generate_score))
    assert answer == CheckResult(0.5, "", {"preprocess": 5, "generate_score": 0.5})


def test_a_reason_becomes_one_line() -> None:
    scorer = create_scorer(
        "s", generate_score=lambda _: 1, generate_reason=lambda _: "first\nsecond"
    )
    answer = asked(scorer)
    assert isinstance(answer, CheckResult)
    assert answer.reason == "first second"


@pytest.mark.parametrize("name", STEPS)
def test_any_step_may_find_the_run_not_applicable(name: str) -> None:
    steps: dict[str, Any] = dict.fromkeys(STEPS, raising)
    for before in STEPS[: STEPS.index(name)]:
        steps[before] = lambda _: 1
    steps[name] = lambda _: NotApplicable("no refund")
    assert asked(create_scorer("s", **steps)) == NotApplicable("no refund")


def test_a_missing_score_needs_no_reason() -> None:
    assert asked(create_scorer("s", generate_score=lambda _: None, generate_reason=raising)) is None


@pytest.mark.parametrize("name", STEPS)
def test_an_error_names_the_scorer_and_the_step(name: str) -> None:
    steps: dict[str, Any] = {"generate_score": lambda _: 1} | {name: raising}
    with pytest.raises(ScorerError) as caught:
        asked(create_scorer("tone", **steps))
    assert str(caught.value) == f"tone: {name}: ValueError: no good"


def test_a_score_that_is_no_number_is_an_error_of_its_step() -> None:
    fault: Any = "high"
    scorer = create_scorer("tone", generate_score=lambda _: fault)
    with pytest.raises(
        ScorerError, match=r"^tone: generate_score: answered a str; answer a number"
    ):
        asked(scorer)


def test_a_plain_function_is_a_scorer_under_its_name() -> None:
    def brief(_: object) -> float:
        return 0.25

    assert name_scorer(brief).id == "brief"
    assert asked(name_scorer(brief)) == CheckResult(0.25)


def test_a_coroutine_function_is_a_scorer() -> None:
    async def judged(_: object) -> CheckResult:
        return CheckResult.hit("fine\nindeed")

    assert asked(name_scorer(judged)) == CheckResult(1.0, "fine indeed")


def test_a_check_is_a_scorer_under_its_own_id() -> None:
    scorer = name_scorer(Includes(expected="HELLO"))
    assert scorer.id == "check-includes"
    answer = asked(scorer)
    assert isinstance(answer, CheckResult)
    assert answer.score == 1.0


@pytest.mark.parametrize("unnamed", [lambda _: 1.0, "includes", None])
def test_what_has_no_name_is_refused_with_the_remedy(unnamed: Any) -> None:
    with pytest.raises(ScorerError, match="build one with create_scorer"):
        name_scorer(unnamed)


@pytest.mark.parametrize("answer", ["1", [], CheckResult("1")])  # type: ignore[arg-type]  # the fault
def test_an_answer_that_is_no_score_is_an_error(answer: Any) -> None:
    with pytest.raises(ScorerError, match=r"^s: answered a .*; answer a number"):
        asked(NamedScorer("s", lambda _: answer))


def test_what_a_scorer_raises_is_an_error_that_names_it() -> None:
    with pytest.raises(ScorerError, match=r"^raising: ValueError: no good$"):
        asked(name_scorer(raising))

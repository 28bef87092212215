"""Filters, fingerprints, and how a scorer ends on a run."""

from dataclasses import replace
from typing import Any

import pytest

from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult, Failure, NotApplicable
from live_scoring.core.scoring import RunFilter, Scorer, fingerprint, score_run
from tests.builders import run_saying

RUN = run_saying("hello", agent_id="weather-eu", tags={"environment": "prod", "beta": True})


def scorer_answering(answer: Any) -> Scorer:
    """A scorer that answers every run the same, or raises it."""

    def run(_: AgentRun) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return Scorer("s", "scorer", "check-s", "f", run)


@pytest.mark.parametrize("score", [0, 1, 0.5, True, False, -0.0])
def test_a_score_from_zero_to_one_is_an_answer(score: float) -> None:
    assert score_run(scorer_answering(CheckResult(score)), RUN) == CheckResult(score)


@pytest.mark.parametrize(
    "score",
    [1.0000000000000002, -1e-9, float("nan"), float("inf"), 10**400, None, "1", 1j],
    ids=lambda score: str(score)[:8],
)
def test_any_other_score_is_an_error(score: Any) -> None:
    answer = score_run(scorer_answering(CheckResult(score)), RUN)
    assert isinstance(answer, Failure)
    assert answer.reason == "InvalidScore"


def test_a_score_that_cannot_even_be_shown_is_an_error() -> None:
    assert isinstance(score_run(scorer_answering(CheckResult(10**5_000)), RUN), Failure)


def test_an_answer_of_another_type_is_an_error() -> None:
    failure = Failure("score", "InvalidScore", "answered a float")
    assert score_run(scorer_answering(1.0), RUN) == failure


def test_not_applicable_is_an_answer() -> None:
    assert score_run(scorer_answering(NotApplicable("no")), RUN) == NotApplicable("no")


def test_what_a_scorer_raises_is_a_failure_in_one_line() -> None:
    answer = score_run(scorer_answering(ValueError("not\nthis")), RUN)
    assert answer == Failure("score", "ValueError", "not this", discreet="")


@pytest.mark.parametrize(
    ("run_filter", "is_admitted"),
    [
        (RunFilter(), True),
        (RunFilter(agent="weather-*"), True),
        (RunFilter(agent="Weather-*"), False),
        (RunFilter(tags={"environment": ("stage", "prod")}), True),
        (RunFilter(tags={"environment": ("stage",)}), False),
        (RunFilter(tags={"beta": ("true",)}), True),
        (RunFilter(tags={"region": ("eu",)}), False),
        (RunFilter(agent="*", tags={"environment": ("prod",), "region": ("eu",)}), False),
    ],
)
def test_a_filter_asks_for_the_agent_and_every_tag(
    run_filter: RunFilter, is_admitted: bool
) -> None:
    assert run_filter.admits(RUN) is is_admitted


def test_a_fingerprint_depends_on_check_and_parameters_in_any_order() -> None:
    one = fingerprint("check-includes", {"expected": "a", "ignore_case": True})
    assert one == fingerprint("check-includes", {"ignore_case": True, "expected": "a"})
    assert one != fingerprint("check-excludes", {"expected": "a", "ignore_case": True})
    assert one != fingerprint("check-includes", {"expected": "b", "ignore_case": True})
    assert len(fingerprint("check-includes", {"expected": "\ud83d"})) == 12


def test_a_question_about_content_does_not_apply_where_none_was_captured() -> None:
    silent = run_saying("").model_copy(update={"has_content": False})
    asked = scorer_answering(CheckResult.hit())
    assert score_run(asked, silent) == CheckResult.hit()
    answer = score_run(replace(asked, needs_content=True), silent)
    assert answer == NotApplicable("the run's content was not captured")
    assert score_run(replace(asked, needs_content=True), run_saying("")) == CheckResult.hit()

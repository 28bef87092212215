"""What scoring gives: one-line reasons, and an id that redelivery repeats."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from live_scoring.core.score import REASON_LIMIT, CheckResult, NotApplicable, Score, one_line
from tests.builders import SOURCE

SCORE = Score(
    run_id="run-1",
    agent_id="agent-1",
    group="",
    scorer="s",
    kind="scorer",
    check="check-includes",
    fingerprint="0" * 12,
    outcome="scored",
    score=1.0,
    reason="",
    error_type=None,
    error_message=None,
    sampling_rate=1.0,
    run_timestamp_ms=1,
    scored_at_ms=2,
    trace_id=None,
    conversation_id=None,
    source=SOURCE,
)


@given(st.text())
def test_a_reason_is_one_line_of_limited_length(text: str) -> None:
    line = one_line(text)
    assert len(line) <= REASON_LIMIT
    assert len(line.splitlines()) <= 1


@pytest.mark.parametrize("answer", [partial(CheckResult, 0.5), NotApplicable])
def test_a_reason_is_one_line_whoever_wrote_it(
    answer: Callable[[str], CheckResult | NotApplicable],
) -> None:
    assert answer("not\n this").reason == "not this"
    assert len(answer("x" * 10_000).reason) == REASON_LIMIT


@pytest.mark.parametrize("answer", [CheckResult.hit("yes"), NotApplicable("yes")])
def test_an_answer_stays_as_it_was_given(answer: CheckResult | NotApplicable) -> None:
    with pytest.raises(AttributeError):
        answer.reason = "no"  # type: ignore[misc]  # that is the question
    assert replace(answer, discreet="not\n this").discreet == "not this"
    assert answer.discreet is None


def test_findings_ride_beside_the_score() -> None:
    assert CheckResult.miss("called 0 times", actual_count=0).findings == {"actual_count": 0}


def test_a_run_scored_again_elsewhere_keeps_its_score_id() -> None:
    again = replace(
        SCORE,
        source=SOURCE._replace(offset=99),
        scored_at_ms=3,
        outcome="error",
        score=None,
        replay="r1",
    )
    assert again.score_id == SCORE.score_id


@pytest.mark.parametrize(
    "other",
    [
        replace(SCORE, agent_id="other"),
        replace(SCORE, run_id="other"),
        replace(SCORE, scorer="other"),
        replace(SCORE, fingerprint="other"),
    ],
)
def test_agent_run_scorer_and_fingerprint_each_make_another_id(other: Score) -> None:
    assert other.score_id != SCORE.score_id


def test_parts_of_an_id_do_not_run_together() -> None:
    left = replace(SCORE, run_id='a","b', scorer="c")
    right = replace(SCORE, run_id="a", scorer='b","c')
    assert left.score_id != right.score_id


def test_a_lone_surrogate_has_an_id() -> None:
    assert len(replace(SCORE, run_id="\ud83d").score_id) == 32

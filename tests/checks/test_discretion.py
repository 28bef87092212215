"""No check tells what a run said, unless it may: a marker stands wherever a run has text."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.checks import CHECKS, build_check
from live_scoring.core.disclosure import DISCREET
from live_scoring.core.run import AgentRun, Message, ToolInvocation
from live_scoring.core.scoring import Answer, Check, Scorer, score_run
from tests.builders import run_of
from tests.checks.odd_runs import RUNS
from tests.checks.test_laws import ANY_CHECK, EXAMPLES

MARKER = "m4rk3r"

TEXTS = st.sampled_from(
    (
        MARKER,
        f"sunny {MARKER}",
        json.dumps({MARKER: [MARKER]}),
        f'{{"a": "{MARKER}"',
        f'["{MARKER}"]',
    )
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.just(MARKER) | st.integers(0, 3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from((MARKER, "a", "query")), inner, max_size=3)
    ),
    max_leaves=4,
)
CALLS = st.builds(
    ToolInvocation,
    name=st.sampled_from(("search", "pay")),
    args=VALUES | VALUES.map(json.dumps),
    result=VALUES,
    state=st.sampled_from(("result", "call", "partial-call")),
    is_error=st.booleans(),
)
MARKED: st.SearchStrategy[AgentRun] = st.builds(
    lambda texts, calls, reported: run_of(
        *(Message(role="assistant", text=t, tool_invocations=tuple(calls)) for t in texts),
        input=MARKER,
        error=MARKER,
        duration_ms=reported,
        total_tokens=reported,
        cost_usd=reported,
    ),
    st.lists(TEXTS, min_size=1, max_size=2),
    st.lists(CALLS, max_size=3),
    st.none() | st.integers(0, 100_000),
)


def answer_of(check: Check, run: AgentRun) -> Answer:
    return score_run(Scorer("s", "scorer", check.id, "", check), run)


@given(ANY_CHECK, MARKED)
def test_no_check_tells_what_a_run_said(check: Check, run: AgentRun) -> None:
    assert MARKER not in DISCREET.words_of(answer_of(check, run))


@pytest.mark.parametrize("name", CHECKS)
@given(run=MARKED)
def test_the_usual_check_tells_nothing_of_a_run(name: str, run: AgentRun) -> None:
    check = build_check(CHECKS[name], EXAMPLES[name])
    assert MARKER not in DISCREET.words_of(answer_of(check, run))


@given(ANY_CHECK, RUNS)
def test_every_answer_has_discreet_words(check: Check, run: AgentRun) -> None:
    assert DISCREET.words_of(answer_of(check, run))


def test_what_a_check_raises_by_mistake_is_not_told() -> None:
    class Broken(Check):
        id = "check-broken"

        def __call__(self, run: AgentRun) -> Any:
            raise KeyError(run.joined_text)

    run = run_of(Message(role="assistant", text=MARKER))
    answer = answer_of(Broken(), run)
    assert DISCREET.words_of(answer) == ""

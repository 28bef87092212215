"""Why an agent does not pass, and which reasons are shown."""

from typing import Any

import pytest

from live_scoring.checks import CHECKS
from live_scoring.checks.text import Includes
from live_scoring.core.scoring import Check
from live_scoring.core.verdict import Gate
from live_scoring.live.page.stories import EXAMPLES, WITHHELD, Figure, Story, stories_of
from tests.live.page.fleets import MINUTE_MS, Past, example, plan, sight

ASKED: dict[str, dict[str, Any]] = {
    "called_tool_with": {"tool": "t", "args": {}},
    "equals": {"expected": "x"},
    "includes_approx": {"expected": "x"},
    "json_schema": {"expected": {}},
    "includes": {"expected": "x"},
    "no_tool_errors": {},
    "similarity": {"expected": "x"},
}


def _story(past: Past, **seen: Any) -> Story:
    [story] = stories_of(past.standing(), sight(**seen))
    return story


def test_a_rule_that_fails_in_two_windows_is_told_once() -> None:
    past = Past().say("failed", window="1h").say("failed", window="5m")
    story = _story(past)
    assert (story.rule, story.kind) == ("polite", "gate")
    assert story.figures == (Figure("1h, 5m", "3 of 40 runs did not pass"),)


def test_figures_that_differ_are_told_by_window() -> None:
    past = Past().say("failed", window="5m")
    past.say("failed", window="1h", rule=Gate("polite", pass_ratio=0.995))
    assert [figure.windows for figure in _story(past).figures] == ["1h", "5m"]


def test_a_critical_gate_is_told_as_one() -> None:
    critical = Gate("polite", critical=True)
    assert _story(Past().say("failed", rule=critical)).kind == "critical gate"


def test_an_agent_that_passes_has_no_story() -> None:
    assert stories_of(Past().say("passed").standing(), sight()) == ()


def test_each_run_is_shown_once_and_few_are() -> None:
    runs = [example(f"run-{number}") for number in range(5)]
    past = Past().say("failed", window="5m", examples=runs)
    past.say("failed", window="1h", examples=runs)
    assert [e.run_id for e in _story(past).examples] == ["run-0", "run-1", "run-2"][:EXAMPLES]


def test_a_run_leads_to_its_trace_whatever_its_id_holds() -> None:
    past = Past().say("failed", examples=[example(), example("run-2", trace_id=None)])
    link = "https://traces.example.com/t/{trace_id}?x"
    with_trace, without = _story(past, link=link).examples
    assert with_trace.link == "https://traces.example.com/t/t%2F1?x"
    assert without.link is None
    assert _story(past).examples[0].link is None


def test_the_age_of_a_run_is_told() -> None:
    [shown] = _story(Past().say("failed", examples=[example()])).examples
    assert shown.age == f"{MINUTE_MS // 1000} s"


@pytest.mark.parametrize("name", ASKED)
def test_a_reason_is_shown_where_its_check_quotes_no_run(name: str) -> None:
    past = Past().say("failed", examples=[example(reason="why")])
    check = CHECKS[name].model_validate(ASKED[name])
    is_quoting = name in {"called_tool_with", "equals", "includes_approx", "json_schema"}
    assert _story(past, of=plan(check)).examples[0].reason == (WITHHELD if is_quoting else "why")
    assert _story(past, of=plan(check), shows_text=True).examples[0].reason == "why"


class Copying(Includes):
    """A check of one's own that tells what was said."""


def test_a_reason_is_left_out_where_nobody_knows_what_it_quotes() -> None:
    own: Check = Copying(expected="x")
    failed = Past().say("failed", examples=[example(reason="why")])
    assert _story(failed, of=plan(own)).examples[0].reason == WITHHELD
    assert _story(failed, of=plan(pattern="other")).examples[0].reason == WITHHELD
    other = Past().say("failed", examples=[example(reason="why")], config_hash="hash-2")
    assert _story(other).examples[0].reason == WITHHELD
    erring = Past().say("failed", examples=[example(reason="why", score=None)])
    assert _story(erring).examples[0].reason == WITHHELD

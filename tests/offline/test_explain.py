"""What an explanation says of a run."""

import json
from pathlib import Path
from typing import Any

import pytest

from live_scoring.core.errors import LiveScoringError
from live_scoring.core.pipeline import Plan
from live_scoring.formats import Decoded, decode
from live_scoring.offline.explained import (
    TEXT_LIMIT,
    explanation_to_json,
    explanation_to_text,
)
from live_scoring.offline.explanation import Explanation, ScorerExplanation, explain
from tests.offline.folders import plan_with, run_line

GATES = (
    "{calls: {called_tool: get_weather}, "
    "rare: {includes: sun, sampling: {type: ratio, rate: 0.1, always_on_error: true}}, "
    "apart: {includes: sun, sampling: {type: ratio, rate: 0.1, independent: true}}, "
    "prod: {includes: sun, filter: {tags: {env: prod}}}, "
    "safe: {matches: '^(a+)+$'}}"
)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return plan_with(tmp_path, GATES, more="split_by: [env]")


def explained(plan: Plan, line: bytes) -> Explanation:
    decoded = decode(line)
    assert isinstance(decoded, Decoded)
    return explain(decoded, plan)


def scorer_of(explanation: Explanation, name: str) -> ScorerExplanation:
    return next(scorer for scorer in explanation.scorers if scorer.name == name)


def text_of(explanation: Explanation) -> str:
    return "\n".join(explanation_to_text(explanation))


def test_the_run_is_shown_as_the_checks_see_it(plan: Plan) -> None:
    fields: dict[str, Any] = {"timestamp": "2026-11-01T12:00:00Z", "tags": {"env": "stage"}}
    text = text_of(explained(plan, run_line("run-1", "It is sunny", "get_weather", **fields)))
    assert text.startswith(
        "run     run-1 (native)\n"
        "agent   weather-agent\n"
        "group   stage\n"
        "placed  2026-11-01T12:00:00.000Z, its own end\n"
        "text    'It is sunny' (11 characters)\n"
        "tools   1. get_weather null ended\n"
    )
    assert "gate calls: check-called-tool" in text
    assert "  outcome   scored 1: called get_weather 1 time, expected at least 1" in text
    assert '  findings  {"actual_count": 1}' in text


def test_a_run_without_an_end_is_placed_by_its_record(plan: Plan) -> None:
    assert "placed  by the time of its record" in text_of(explained(plan, run_line()))


def test_the_sampling_decision_shows_the_number_and_the_rate(plan: Plan) -> None:
    explanation = explained(plan, run_line("r0"))
    rare = scorer_of(explanation, "rare")
    assert (rare.draw.key, rare.draw.rate, rare.draw.is_drawn) == ("r0", 0.1, False)
    assert not rare.is_asked
    assert "not drawn: u 0.863664 >= rate 0.1, of key 'r0'" in text_of(explanation)
    assert "  outcome   would be scored 0: output does not contain 'sun'" in text_of(explanation)


def test_an_independent_draw_shows_its_own_key(plan: Plan) -> None:
    explanation = explained(plan, run_line("r0", trace_id="t0"))
    assert scorer_of(explanation, "rare").draw.key == "t0"
    assert scorer_of(explanation, "apart").draw.key == "apart\0t0"


def test_a_failed_run_that_is_always_drawn_is_told_as_such(plan: Plan) -> None:
    explanation = explained(plan, run_line("r0", error="boom"))
    assert scorer_of(explanation, "rare").is_asked
    assert "drawn as a failed run: u 0.863664 >= rate 0.1" in text_of(explanation)


def test_a_filter_that_passes_the_run_over_is_told(plan: Plan) -> None:
    explanation = explained(plan, run_line(text="sun"))
    assert not scorer_of(explanation, "prod").is_asked
    assert "filter    does not ask for this run\n  outcome   would be scored 1" in text_of(
        explanation
    )


def test_an_error_is_an_outcome(plan: Plan) -> None:
    safe = scorer_of(explained(plan, run_line(text="a" * 40 + "!")), "safe")
    assert (safe.outcome, safe.score) == ("error", None)
    assert safe.reason.startswith("PatternTimeout: ")


def test_an_agent_that_no_file_names_is_an_error_that_asks_back(plan: Plan) -> None:
    with pytest.raises(LiveScoringError, match="did you mean weather-agent"):
        explained(plan, run_line(agent_id="wether-agent"))


def test_whatever_a_run_holds_what_is_shown_is_bounded_and_printable(plan: Plan) -> None:
    hostile = "\x1b[31m\ud800" * 100_000
    explanation = explained(plan, run_line("run-1", hostile, *["\x1b"] * 500, error=hostile))
    lines = text_of(explanation).splitlines()
    assert len(lines) < 150
    assert max(map(len, lines)) < 10 * TEXT_LIMIT
    assert all(line.isprintable() for line in lines)
    assert len(explanation_to_json(explanation)) < 100 * TEXT_LIMIT


def test_lone_surrogates_are_shown_wherever_a_run_holds_them(tmp_path: Path) -> None:
    plan = plan_with(tmp_path, "{calls: {tool_order: [a]}}")
    call = {"name": "a\ud800", "args": {"\ud800": ["\udfff"]}, "result": "\ud800"}
    message = {"role": "assistant", "text": "\ud800", "tool_invocations": [call]}
    explanation = explained(plan, run_line("\ud800", output=[message]))
    assert r'{"\ud800": ["\udfff"]} ended: "\ud800"' in text_of(explanation)
    assert r'"actual_tools": ["a\ud800"]' in text_of(explanation)
    assert json.loads(explanation_to_json(explanation))["called_tools"] == ["a\ud800"]


def test_json_says_the_same(plan: Plan) -> None:
    record = json.loads(explanation_to_json(explained(plan, run_line("r0", "sun", "search"))))
    assert record["spaced_text"] == "sun"
    assert record["called_tools"] == ["search"]
    calls = record["scorers"][0]
    assert (calls["name"], calls["score"], calls["findings"]) == ("calls", 0, {"actual_count": 0})
    assert record["scorers"][1]["sampling"]["is_drawn"] is False

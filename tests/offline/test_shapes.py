"""What an evaluation looks like as text, JSON, JUnit XML and Markdown."""

import json
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from click import unstyle
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.pipeline import Plan
from live_scoring.core.quote import printable
from live_scoring.core.wire import to_json
from live_scoring.offline.as_json import to_record
from live_scoring.offline.as_junit import to_junit
from live_scoring.offline.as_markdown import to_markdown
from live_scoring.offline.as_text import to_text
from live_scoring.offline.evaluation import Evaluation
from tests.offline.folders import evaluated, plan_with, run_line

LINES = [
    run_line("run-1", "sunny", "get_weather", tags={"env": "prod"}),
    run_line("run-2", "rain", tags={"env": "prod"}),
    b"{",
]
GATES = "{calls: {called_tool: get_weather}, safe: {matches: '^(a+)+$'}}"
SCORERS = "{close: {includes: sun, threshold: {min: 0.7, max: 0.9}}, tracked: {includes: rain}}"
HOSTILE = "\x1b[31m\x00\ud800\ufffe]]><b>|*_`\n# @all"


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return plan_with(tmp_path, GATES, SCORERS)


@pytest.fixture
def evaluation(plan: Plan) -> Evaluation:
    return evaluated(plan, [*LINES, run_line("run-3", "a" * 40 + "!", "get_weather")])


def hostile(tmp_path: Path) -> Evaluation:
    plan = plan_with(tmp_path, "{calls: {called_tool: x}}", more="split_by: [env]")
    return evaluated(plan, [run_line(HOSTILE, HOSTILE, HOSTILE, tags={"env": HOSTILE})])


def xml_of(evaluation: Evaluation) -> Element:
    return fromstring(to_junit(evaluation))  # noqa: S314 -- our own writing


def test_text_tells_figures_and_for_what_failed_runs_and_reasons(evaluation: Evaluation) -> None:
    lines = [unstyle(line) for line in to_text(evaluation)]
    assert lines[0] == "weather-agent: failed, 3 runs"
    assert "  failed        gate       calls    1 of 3 runs did not pass" in lines
    missing = "called get_weather 0 times, expected at least 1; no tool was called"
    assert f"      run-2: {missing}" in lines
    average = "average 0.333333333 of 3 runs, at least 0.7 asked, at most 0.9 asked"
    assert f"  failed        threshold  close    {average}" in lines
    tracked = "average 0.333333333 of 3 runs"
    assert f"  tracked       scorer     tracked  {tracked}" in lines
    assert lines[-1] == "3 runs of 1 agent: failed"


def test_a_share_that_must_pass_is_told(tmp_path: Path) -> None:
    gate = "{a: {includes: sun, require: {pass_ratio: 0.5, min_failures: 2}}}"
    text = "\n".join(to_text(evaluated(plan_with(tmp_path, gate), LINES)))
    assert "1 of 2 runs did not pass, at least 0.5 must or fewer than 2 fail" in text


def test_json_has_a_fixed_form(evaluation: Evaluation) -> None:
    record = json.loads(to_json(to_record(evaluation)))
    agent = record["agents"]["weather-agent"]
    assert (record["verdict"], agent["verdict"], agent["runs"]) == ("failed", "failed", 3)
    assert record["unreadable_lines"] == 1
    calls, safe = agent["gate_results"]
    assert (calls["id"], calls["passed"], calls["score"]) == ("calls", False, 2 / 3)
    assert calls["examples"][0]["run_id"] == "run-2"
    assert (safe["cause"], safe["errors"]) == ("score", 1)
    (close,) = agent["threshold_results"]
    assert (close["passed"], close["average_score"]) == (False, 1 / 3)
    assert close["threshold"] == {"min": 0.7, "max": 0.9}
    assert agent["scores"] == {"close": 1 / 3, "tracked": 1 / 3}
    assert "groups" not in agent


def test_json_of_groups_names_the_group_of_each_result(tmp_path: Path) -> None:
    plan = plan_with(tmp_path, GATES, SCORERS, more="split_by: [env]")
    lines = [*LINES, run_line("run-3", "sun", "get_weather")]
    agent = to_record(evaluated(plan, lines))["agents"]["weather-agent"]
    assert [(r["group"], r["passed"]) for r in agent["gate_results"] if r["id"] == "calls"] == [
        ("-", True),
        ("prod", False),
    ]
    assert agent["scores"]["close"] == 2 / 3
    assert agent["groups"]["prod"]["scores"]["close"] == 1 / 2
    assert agent["groups"]["prod"]["runs"] == 2


def test_a_rule_that_nothing_counts_for_is_neither_passed_nor_failed(tmp_path: Path) -> None:
    evaluation = evaluated(plan_with(tmp_path, "{a: {includes: x, sampling: 0}}"), LINES)
    agent = to_record(evaluation)["agents"]["weather-agent"]
    assert agent["verdict"] == "no_data"
    assert agent["gate_results"][0]["passed"] is None
    assert agent["gate_results"][0]["score"] is None
    assert xml_of(evaluation).find(".//skipped") is not None
    assert "no run counts, 2 sampled out" in "\n".join(to_text(evaluation))


def test_an_empty_file_has_no_verdict(plan: Plan) -> None:
    record = to_record(evaluated(plan, []))
    assert (record["verdict"], record["agents"]) == (None, {})
    assert [unstyle(line) for line in to_text(evaluated(plan, []))] == [
        "0 runs of 0 agents: no verdict"
    ]


def cases_of(evaluation: Evaluation) -> dict[str | None, Element]:
    return {case.get("name"): case for case in xml_of(evaluation).iter("testcase")}


def test_junit_has_a_case_for_each_gate_and_threshold_and_one_for_bad_lines(
    evaluation: Evaluation,
) -> None:
    cases = cases_of(evaluation)
    assert list(cases) == ["gate calls", "gate safe", "threshold close", "every line is a run"]
    failure = cases["gate calls"].find("failure")
    assert failure is not None
    assert failure.get("message") == "1 of 3 runs did not pass"
    assert (failure.text or "").startswith("run-2: called get_weather 0 times")
    suite = xml_of(evaluation)[0]
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == (
        "weather-agent",
        "3",
        "3",
    )


def test_junit_tells_an_error_of_a_scorer_from_a_failure(tmp_path: Path) -> None:
    plan = plan_with(tmp_path, "{safe: {matches: '^(a+)+$'}}")
    cases = cases_of(evaluated(plan, [run_line(text="a" * 40 + "!")]))
    assert cases["gate safe"].find("error") is not None


def test_nothing_that_a_run_says_acts_on_a_terminal_or_breaks_a_file(tmp_path: Path) -> None:
    evaluation = hostile(tmp_path)
    text = unstyle("\n".join(to_text(evaluation)))
    assert "\\x1b[31m\\x00\\ud800" in text
    assert all(line.isprintable() for line in text.splitlines())
    assert xml_of(evaluation).find(".//failure") is not None
    (row,) = [line for line in to_markdown(evaluation) if "calls" in line]
    assert "<b>" not in row
    assert "&lt;b&gt;\\|\\*\\_\\`\\\\n\\# \\@all" in row
    assert json.loads(to_json(to_record(evaluation)))["verdict"] == "failed"


def test_markdown_is_a_table_with_a_row_for_each_scorer(evaluation: Evaluation) -> None:
    lines = list(to_markdown(evaluation))
    assert lines[0] == "### live-scoring: ❌ failed, 3 runs"
    rows = [line for line in lines if line.startswith("| weather-agent |")]
    assert [row.split(" | ")[2] for row in rows] == [
        "gate calls",
        "gate safe",
        "threshold close",
        "scorer tracked",
    ]
    assert lines[-1].startswith("- runs.jsonl: line 3: truncated\\_json: ")


@given(st.text(st.characters()))
def test_printable_text_is_printable_and_leaves_what_was(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert shown == text or not text.isprintable()

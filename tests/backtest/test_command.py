"""A backtest from options to its report: what is read, of which range, and what is told of it."""

import json
from pathlib import Path

import pytest

from live_scoring.backtest.command import fails
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.wire import to_rfc3339
from tests.backtest.pasts import BEGIN_MS, only_agent, policy, run, tried
from tests.formats import otlp


def at(seconds: int) -> str:
    return to_rfc3339(BEGIN_MS + seconds * 1_000)


def test_without_a_range_a_file_is_judged_from_its_first_run_to_its_last(tmp_path: Path) -> None:
    found = tried(tmp_path, [run(20), run(5)], policy(tmp_path / "new"))
    assert (found.from_ms, found.to_ms) == (BEGIN_MS + 5_000, BEGIN_MS + 20_000)
    assert only_agent(found).runs == 2


def test_runs_before_the_range_fill_its_first_windows_and_count_no_more(tmp_path: Path) -> None:
    new = policy(tmp_path / "new", "{called-weather: {called_tool: get_weather, critical: true}}")
    runs = [run(0), run(50, "none"), run(70)]
    agent = only_agent(tried(tmp_path, runs, new, since=at(60), until=at(72)))
    assert agent.runs == agent.new.scores == 1
    assert agent.new.critical_failures == {}
    assert [spell.state for spell in agent.new.courses["1m"].spells] == ["failed"]
    assert agent.new.into_failed == 0, "it had failed before the range began"


def test_runs_outside_the_range_are_not_judged(tmp_path: Path) -> None:
    agent = only_agent(
        tried(tmp_path, [run(0), run(70), run(80)], policy(tmp_path / "new"), until=at(80))
    )
    assert agent.runs == 2
    assert agent.new.courses["1m"].ends == 40


def test_an_age_is_counted_back_from_now(tmp_path: Path) -> None:
    found = tried(tmp_path, [run(0), run(80_000)], policy(tmp_path / "new"), since="2h")
    assert found.from_ms == BEGIN_MS + 22 * 3_600_000
    assert only_agent(found).runs == 1


def test_critical_failures_are_runs_that_may_wake_someone(tmp_path: Path) -> None:
    new = policy(tmp_path / "new", "{called-weather: {called_tool: get_weather, critical: true}}")
    runs = [run(0), run(1, "none"), run(2, "none"), run(2, "none")]
    agent = only_agent(tried(tmp_path, runs, new))
    assert agent.new.critical_failures == {"called-weather": 2}
    assert agent.new.into_failed == 1


def test_groups_are_apart(tmp_path: Path) -> None:
    new = policy(tmp_path / "new", more="split_by: [version]")
    runs = [run(0, tags={"version": "1"}), run(1, "none", tags={"version": "2"})]
    found = tried(tmp_path, runs, new)
    assert [agent.title for agent in found.agents] == ["weather-agent (1)", "weather-agent (2)"]
    assert [agent.new.courses["1m"].last for agent in found.agents] == ["passed", "failed"]


def test_only_agents_that_are_asked_for_are_judged(tmp_path: Path) -> None:
    found = tried(tmp_path, [run(0)], policy(tmp_path / "new"), agents=("other-*",))
    assert found.agents == ()


def test_an_agent_without_rules_has_runs_and_no_verdict(tmp_path: Path) -> None:
    new = policy(tmp_path / "new", "{}", "{sunny: {includes: sunny}}")
    agent = only_agent(tried(tmp_path, [run(0)], new))
    assert (agent.runs, agent.windows) == (1, ())


def test_a_run_in_pieces_is_judged_once_it_is_whole(tmp_path: Path) -> None:
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "sunny"}]}]
    agent = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": "weather-agent",
        "gen_ai.output.messages": json.dumps(said),
    }
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_weather"}
    whole = otlp.span(1, agent, name="invoke_agent")
    pieces = [otlp.span(2, tool, name="execute_tool", parentSpanId=whole["spanId"]), whole]
    lines = [otlp.spans_request(piece) for piece in pieces]
    found = only_agent(tried(tmp_path, lines, policy(tmp_path / "new")))
    assert (found.runs, found.new.courses["1m"].last) == (1, "passed")


def test_what_cannot_be_judged_is_told(tmp_path: Path) -> None:
    strangers = [run(0, agent_id="a"), run(0, agent_id="a")]
    runs = [run(0), run(1, timestamp=None), run(2, output=None), *strangers]
    notes = tried(tmp_path, runs, policy(tmp_path / "new")).notes
    path = (tmp_path / "runs.jsonl").as_posix()
    assert notes == (
        f"{path}: 1 record cannot be read, the first:",
        f"{path}: line 3: bad_field: output: Input should be an array",
        f"{path}: 1 run without a timestamp left out; give one to each",
        "a: no file names this agent of 2 runs",
    )


def test_agents_without_a_run_are_named(tmp_path: Path) -> None:
    new = policy(tmp_path / "new")
    (new / "agents" / "other.yaml").write_text("agent: other\ngates: {a: no_tool_errors}\n")
    path = (tmp_path / "runs.jsonl").as_posix()
    assert tried(tmp_path, [run(0)], new).notes == (f"{path}: no run in the range is of other",)
    found = tried(tmp_path, [], new)
    assert (found.from_ms, found.agents) == (None, ())
    assert f"{path}: no run in the range is of an agent of the configuration" in found.notes


def test_it_fails_on_what_the_new_policy_says_last(tmp_path: Path) -> None:
    threshold = "{tool: {called_tool: get_weather, threshold: 0.9}}"
    scored = tried(tmp_path, [run(0, "none")], policy(tmp_path / "a", "{}", threshold))
    failed = tried(tmp_path, [run(0, "none")], policy(tmp_path / "b"))
    mended = tried(tmp_path, [run(0, "none"), run(90)], policy(tmp_path / "c"))
    assert [fails(found, ("failed",)) for found in (scored, failed, mended)] == [False, True, False]
    assert [fails(found, ("scored",)) for found in (scored, failed, mended)] == [True, True, False]
    assert not fails(failed, ())


def test_a_past_without_a_run_fails_whatever_is_minded(tmp_path: Path) -> None:
    empty = tried(tmp_path, [], policy(tmp_path / "new"))
    assert [fails(empty, minded) for minded in ((), ("failed",), ("scored",))] == [
        False,
        True,
        True,
    ]


def test_a_scorer_that_calls_out_is_asked_once_about_a_run(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    use = f"{{use: 'tests.own_scorers:notes_in', with: {{path: '{asked}'}}}}"
    new = policy(tmp_path / "new", f"{{noted: {use}}}")
    old = policy(tmp_path / "old", f"{{noted: {use}, called: {{called_tool: get_weather}}}}")
    agent = only_agent(tried(tmp_path, [run(0), run(1)], new, old))
    assert sorted(asked.read_text().split()) == ["run-0", "run-1"]
    assert agent.old is not None
    assert (agent.new.courses["1m"].last, agent.old.courses["1m"].last) == ("passed", "passed")


def test_a_file_has_no_topics(tmp_path: Path) -> None:
    with pytest.raises(LiveScoringError, match="--topic: RUNS is a file"):
        tried(tmp_path, [], policy(tmp_path / "new"), topics=("agent-runs",))


def test_a_policy_without_the_agent_fails_though_the_old_one_knows_it(tmp_path: Path) -> None:
    new, old = policy(tmp_path / "new"), policy(tmp_path / "old")
    (agent,) = (new / "agents").iterdir()
    agent.write_text(agent.read_text().replace("agent: weather-agent", "agent: other"))
    assert fails(tried(tmp_path, [run(0)], new, old), ("failed",))

"""Runs that pass a rule under one policy and not under the other."""

from pathlib import Path

from tests.backtest.pasts import only_agent, policy, run, tried

OTHER = "{called-weather: {called_tool: other}}"


def test_each_way_is_counted_with_the_reason_of_the_policy_that_fails(tmp_path: Path) -> None:
    old = policy(tmp_path / "old", OTHER)
    runs = [run(0, "other"), run(1), run(2), run(3, "none")]
    agent = only_agent(tried(tmp_path, runs, policy(tmp_path / "new"), old))
    (flips,) = agent.flips
    assert (flips.rule, flips.broken, flips.mended) == ("called-weather", 1, 2)
    assert [e.run_id for e in flips.broken_examples] == ["run-0"]
    assert flips.broken_examples[0].reason.startswith("called get_weather 0 times")
    assert [e.run_id for e in flips.mended_examples] == ["run-2", "run-1"]
    assert flips.mended_examples[0].reason.startswith("called other 0 times")


def test_a_hundred_runs_are_named_and_the_others_counted(tmp_path: Path) -> None:
    old = policy(tmp_path / "old", OTHER)
    runs = [run(second) for second in range(120)]
    (flips,) = only_agent(tried(tmp_path, runs, policy(tmp_path / "new"), old)).flips
    assert flips.mended == 120
    assert [e.run_id for e in flips.mended_examples] == [f"run-{n}" for n in range(119, 19, -1)]


def test_a_threshold_that_moves_past_a_score_flips_its_runs(tmp_path: Path) -> None:
    close = "{{close: {{similarity: {{expected: sunny day}}, threshold: {}}}}}"
    old = policy(tmp_path / "old", "{}", close.format(0.5))
    new = policy(tmp_path / "new", "{}", close.format(0.9))
    (flips,) = only_agent(tried(tmp_path, [run(0)], new, old)).flips
    assert (flips.broken, flips.mended) == (1, 0)


def test_a_repeated_run_flips_once(tmp_path: Path) -> None:
    old = policy(tmp_path / "old", OTHER)
    (flips,) = only_agent(tried(tmp_path, [run(0), run(0)], policy(tmp_path / "new"), old)).flips
    assert flips.mended == 1


def test_a_run_that_one_policy_does_not_draw_does_not_flip(tmp_path: Path) -> None:
    old = policy(tmp_path / "old", "{called-weather: {called_tool: other, sampling: 0}}")
    assert only_agent(tried(tmp_path, [run(0)], policy(tmp_path / "new"), old)).flips == ()


def test_rules_that_are_new_gone_or_changed_are_named(tmp_path: Path) -> None:
    old = policy(tmp_path / "old", "{called-weather: {called_tool: other}, gone: no_tool_errors}")
    new = policy(tmp_path / "new", scorers="{fresh: {includes: sunny}}")
    agent = only_agent(tried(tmp_path, [run(0)], new, old))
    assert agent.rules.added == ("fresh",)
    assert agent.rules.removed == ("gone",)
    assert agent.rules.changed == ("called-weather",)


def test_other_bounds_or_another_rate_are_a_change(tmp_path: Path) -> None:
    old = policy(tmp_path / "old", "{}", "{a: {includes: x, threshold: 0.5}, b: {includes: x}}")
    scorers = "{a: {includes: x, threshold: 0.6}, b: {includes: x, sampling: 0.5}}"
    agent = only_agent(tried(tmp_path, [run(0)], policy(tmp_path / "new", "{}", scorers), old))
    assert agent.rules.changed == ("a", "b")


def test_an_agent_that_only_one_policy_has_is_told_under_that_one(tmp_path: Path) -> None:
    old = policy(tmp_path / "old")
    other = "agent: other-agent\nwindows: [1m]\ngates: {a: no_tool_errors}\n"
    (old / "agents" / "other.yaml").write_text(other)
    found = tried(tmp_path, [run(0, agent_id="other-agent")], policy(tmp_path / "new"), old)
    agent = only_agent(found)
    assert (dict(agent.new.courses), agent.flips) == ({}, ())
    assert agent.old is not None
    assert agent.old.courses["1m"].last == "passed"
    assert agent.rules.removed == ("a",)

from pathlib import Path

from live_scoring.config import load_config
from live_scoring.core.disclosure import DISCREET, Disclosure
from live_scoring.core.ecmascript import Pattern
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.sampling import ALWAYS, Sampling
from live_scoring.core.scoring import RunFilter, fingerprint
from live_scoring.core.verdict import Gate, Threshold
from live_scoring.core.window import WindowSpec
from live_scoring.wiring import build_plan
from tests.config.folders import agent_of, write_folder

ROOT = Path(__file__).parents[1]


def plan_of(tmp_path: Path, files: dict[str, str]) -> Plan:
    return build_plan(load_config(write_folder(tmp_path, files), {}))


def agent_plan_of(tmp_path: Path, gates: str = "{}", scorers: str = "{}") -> AgentPlan:
    [agent] = plan_of(tmp_path, agent_of(gates, scorers)).agents
    return agent


def test_nothing_of_a_run_is_told_unless_the_configuration_lets_it(tmp_path: Path) -> None:
    assert plan_of(tmp_path / "usual", {}).disclosure == DISCREET
    worker = {"worker.yaml": "scores: {include_text: true, redact: ['\\d{16}']}"}
    told = Disclosure(has_quotes=True, has_text=True, redactions=(Pattern(r"\d{16}"),))
    assert plan_of(tmp_path / "open", worker).disclosure == told


def test_the_committed_example_makes_this_plan() -> None:
    config = load_config(ROOT / "config", {})
    plan = build_plan(config)
    [agent] = plan.agents
    assert plan.config_hash == config.hash
    assert agent.windows == (WindowSpec("5m", 300_000, 20), WindowSpec("1h", 3_600_000, 50))
    assert agent.rules == (
        Gate("no-tool-errors", pass_ratio=0.995, min_failures=3),
        Gate("called-weather"),
        Gate("never-delete", critical=True),
        Threshold("mentions-city", min=0.7),
        Threshold("close", min=0.3, max=0.95, min_samples=10),
    )
    assert [(s.name, s.kind) for s in agent.scorers] == [
        ("no-tool-errors", "gate"),
        ("called-weather", "gate"),
        ("never-delete", "gate"),
        ("mentions-city", "scorer"),
        ("close", "scorer"),
    ]


def test_a_scorer_without_a_threshold_is_tracked_only(tmp_path: Path) -> None:
    agent = agent_plan_of(tmp_path, scorers="{a: {includes: x}}")
    assert [scorer.name for scorer in agent.scorers] == ["a"]
    assert agent.rules == ()


def test_sampling_and_filter_reach_the_scorer(tmp_path: Path) -> None:
    agent = agent_plan_of(
        tmp_path,
        "{a: {includes: x, sampling: {rate: 0.1, independent: true, always_on_error: true}},"
        " b: {includes: x, sampling: {type: none}, filter: {agent: w*, tags: {env: prod}}}}",
    )
    a, b = agent.scorers
    assert a.sampling == Sampling(0.1, independent=True, always_on_error=True)
    assert (b.sampling, b.run_filter) == (ALWAYS, RunFilter("w*", {"env": ("prod",)}))


def test_a_fingerprint_is_of_the_check_and_its_parameters_only(tmp_path: Path) -> None:
    agent = agent_plan_of(
        tmp_path,
        "{a: {includes: x}}",
        "{b: {includes: {expected: x, ignore_case: true}, sampling: 0.5, threshold: 0.5},"
        " c: {includes: {expected: x, ignore_case: false}}}",
    )
    a, b, c = agent.scorers
    assert a.fingerprint == b.fingerprint
    assert b.fingerprint != c.fingerprint
    assert a.fingerprint == fingerprint("check-includes", {"expected": "x", "ignore_case": True})


def test_a_file_of_the_exact_agent_wins_over_a_glob(tmp_path: Path) -> None:
    glob = "agent: weather-*\nscorers: {a: {includes: x}}\n"
    plan = plan_of(tmp_path, {"agents/all.yaml": glob})
    found = [plan.find(agent_id) for agent_id in ("weather-agent", "weather-2", "other")]
    assert [plan and plan.pattern for plan in found] == ["weather-agent", "weather-*", None]


def test_a_scorer_needs_content_if_its_check_does(tmp_path: Path) -> None:
    agent = agent_plan_of(tmp_path, "{a: {excludes: x}, b: no_tool_errors}")
    assert [scorer.needs_content for scorer in agent.scorers] == [True, False]

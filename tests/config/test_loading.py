from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from live_scoring.checks.text import Includes
from live_scoring.checks.tools import CalledTool, NoToolErrors, ToolOrder
from live_scoring.config import Config, ConfigError, load_config
from live_scoring.config.rules import GateOptions, RequireConfig, ThresholdConfig
from live_scoring.config.worker import WorkerConfig
from tests.config.folders import agent_of, write_folder

ROOT = Path(__file__).parents[2]


def load(tmp_path: Path, files: dict[str, str] | None = None, **environ: str) -> Config:
    return load_config(write_folder(tmp_path / "config", files), environ)


def test_the_committed_example_is_that_of_the_readme() -> None:
    config = load_config(ROOT / "config", {})
    [agent] = config.agents
    assert config.worker == WorkerConfig()
    assert (agent.agent, agent.windows, agent.split_by) == (
        "weather-agent",
        ("5m", "1h"),
        ("environment",),
    )
    assert list(agent.gates) == ["no-tool-errors", "called-weather", "never-delete"]
    assert agent.gates["no-tool-errors"].options.require == RequireConfig(
        pass_ratio=0.995, min_failures=3
    )
    assert agent.scorers["mentions-city"].options.sampling.rate == 0.5
    assert agent.scorers["close"].options.threshold == ThresholdConfig(min=0.3, max=0.95)


def test_without_a_worker_file_every_key_has_its_default(tmp_path: Path) -> None:
    worker = load(tmp_path).worker
    assert worker.kafka.bootstrap_servers == "localhost:9092"
    assert worker.kafka.start == "window"
    assert worker.topics.runs == ("agent-runs",)
    assert {name: w.min_samples for name, w in worker.windows.items()} == {"5m": 20, "1h": 50}
    assert worker.forget_after == timedelta(hours=24)


def test_a_group_can_start_a_length_back(tmp_path: Path) -> None:
    worker = load(tmp_path, {"worker.yaml": "kafka: {start: 90m}"}).worker
    assert worker.kafka.start == timedelta(minutes=90)


def test_an_agent_has_all_windows_unless_it_names_some(tmp_path: Path) -> None:
    [agent] = load(tmp_path, {"worker.yaml": "windows: {10s: {}, 1m: {}}"}).agents
    assert agent.windows == ("10s", "1m")


@pytest.mark.parametrize(
    ("written", "check"),
    [
        ("no_tool_errors", NoToolErrors()),
        ("noToolErrors", NoToolErrors()),
        ("{no_tool_errors: }", NoToolErrors()),
        ("{no_tool_errors: {}}", NoToolErrors()),
        ("{called_tool: get_weather}", CalledTool(tool="get_weather")),
        ("{calledTool: {tool: get_weather, times: 2}}", CalledTool(tool="get_weather", times=2)),
        ("{tool_order: [search, answer]}", ToolOrder(expected_order=("search", "answer"))),
        ("{toolOrder: {expectedOrder: [search]}}", ToolOrder(expected_order=("search",))),
        ("{includes: {expected: x, ignoreCase: false}}", Includes(expected="x", ignore_case=False)),
        ("{includes: ''}", Includes(expected="")),
    ],
)
def test_a_rule_names_its_check_in_each_way(tmp_path: Path, written: str, check: object) -> None:
    [agent] = load(tmp_path, agent_of(f"{{rule: {written}}}")).agents
    assert agent.gates["rule"].check == check


def test_zero_is_a_bound(tmp_path: Path) -> None:
    scorers = "{a: {includes: x, threshold: 0}, b: {includes: x, threshold: {max: 0}}}"
    [agent] = load(tmp_path, agent_of(scorers=scorers)).agents
    assert agent.scorers["a"].options.threshold == ThresholdConfig(min=0)
    assert agent.scorers["b"].options.threshold == ThresholdConfig(max=0)


def test_require_every_is_no_require(tmp_path: Path) -> None:
    [agent] = load(tmp_path, agent_of("{a: {includes: x, require: every}}")).agents
    assert agent.gates["a"].options == GateOptions()


def test_one_value_of_a_tag_is_a_list_of_one(tmp_path: Path) -> None:
    gates = "{a: {includes: x, filter: {tags: {environment: prod, region: [eu, us]}}}}"
    [agent] = load(tmp_path, agent_of(gates)).agents
    wanted = agent.gates["a"].options.filter
    assert wanted is not None
    assert wanted.tags == {"environment": ("prod",), "region": ("eu", "us")}


DEFAULTS = {"defaults.yaml": "gates: {no-errors: no_tool_errors, short: {max_tool_calls: 9}}"}


def test_every_agent_has_the_defaults(tmp_path: Path) -> None:
    [agent] = load(tmp_path, DEFAULTS).agents
    assert list(agent.gates) == ["no-errors", "short", "calls-weather"]


def test_null_removes_a_default(tmp_path: Path) -> None:
    [agent] = load(tmp_path, DEFAULTS | agent_of("{short: null}")).agents
    assert list(agent.gates) == ["no-errors"]


def test_a_rule_takes_the_place_of_the_default_of_its_name(tmp_path: Path) -> None:
    gates = "{no-errors: {no_tool_errors: {}, critical: true}}"
    [agent] = load(tmp_path, DEFAULTS | agent_of(gates)).agents
    assert agent.gates["no-errors"].options.critical


def test_a_default_gate_can_become_a_scorer(tmp_path: Path) -> None:
    files = agent_of("{short: null}", "{short: {max_tool_calls: 9, threshold: 0.9}}")
    [agent] = load(tmp_path, DEFAULTS | files).agents
    assert "short" in agent.scorers


def test_anchors_and_merge_keys_work(tmp_path: Path) -> None:
    text = (
        "agent: weather-agent\n"
        "scorers:\n"
        "  a: &usual {includes: x, threshold: 0.7}\n"
        "  b: {<<: *usual, threshold: 0.8}\n"
    )
    [agent] = load(tmp_path, {"agents/weather.yaml": text}).agents
    assert agent.scorers["b"].options.threshold == ThresholdConfig(min=0.8)
    assert agent.scorers["b"].check == Includes(expected="x")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    text = "\ufeffagent: weather-agent\ngates: {a: no_tool_errors}\n"
    assert len(load(tmp_path, {"agents/weather.yaml": text}).agents) == 1


def test_cases_are_no_agents(tmp_path: Path) -> None:
    files = {"agents/weather_test.yaml": "cases: []"}
    assert len(load(tmp_path, files).agents) == 1


def test_every_problem_of_every_file_is_told(tmp_path: Path) -> None:
    files = {"worker.yaml": "max_agents: 0", "defaults.yaml": "gate: {}"} | agent_of(
        "{a: {includes: x, sampling: 2}, b: {include: x}}", "{c: {includes: 1, threshold: {}}}"
    )
    with pytest.raises(ConfigError) as raised:
        load(tmp_path, files)
    places = [line.split(": ")[1] for line in raised.value.problems]
    assert places == [
        "max_agents",
        "gate",
        "gates.a.sampling",
        "gates.b.include",
        "scorers.c.includes",
        "scorers.c.threshold",
    ]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere: is no folder; name the one with agents/"):
        load_config(tmp_path / "nowhere", {})


def test_a_folder_without_an_agent_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="/agents: has no agent; add a file such as weather"):
        load_config(tmp_path, {})


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    (folder / "worker.yaml").mkdir()
    with pytest.raises(ConfigError, match=r"worker\.yaml: cannot be read \(Is a directory\)"):
        load_config(folder, {})


def test_a_file_larger_than_1_mib_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is larger than 1 MiB; split it"):
        load(tmp_path, {"agents/weather.yaml": "#" * (1024 * 1024 + 1)})


def test_the_hash_is_of_what_decides_scores_and_verdicts(tmp_path: Path) -> None:
    usual = load(tmp_path / "a").hash
    gates = "{calls-weather: {called_tool: get_weather, min_samples: 3}}"
    assert load(tmp_path / "b", {"worker.yaml": "web: {port: 1}"}).hash == usual
    assert load(tmp_path / "c", {"worker.yaml": "windows: {5m: {min_samples: 1}}"}).hash != usual
    assert load(tmp_path / "d", agent_of(gates)).hash != usual


def problems_of(folder: Path) -> Sequence[str]:
    try:
        config = load_config(folder, {})
    except ConfigError as error:
        return error.problems
    assert config.hash
    return ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
@example(b"agent: \xff\xfe")
@example(b"a: &a\n  <<: *a\n")
@example(b"? - a\n: b\n")
@example(b"agent: !!set {a, b}\ngates: !!omap [a: b]\nscorers: !!pairs [a]\n")
@example(b"agent: !!timestamp x\ngates: !!bool maybe\nscorers: !!binary '='\n")
@example(b'agent: "\\ud83d"\ngates: {a: {includes: "\\ud83d"}}\n')
@example(b"- " * 5000)
@example(b"a\r\x85\xe2\x80\xa8: [\t\n\tb")
def test_no_bytes_raise_anything_but_a_config_error(tmp_path: Path, content: bytes) -> None:
    folder = write_folder(tmp_path)
    (folder / "agents" / "weather.yaml").write_bytes(content)
    assert not any("\n" in line for line in problems_of(folder))


KEYS = st.sampled_from(
    ["agent", "gates", "scorers", "windows", "sampling", "threshold", "includes", "filter", "rate"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(VALUES)
def test_no_values_raise_anything_but_a_config_error(tmp_path: Path, value: object) -> None:
    text = yaml.safe_dump({"agent": "a", "gates": {"g": value}, "scorers": value})
    files = {"agents/weather.yaml": text, "worker.yaml": yaml.safe_dump({"kafka": value})}
    assert not any("\n" in line for line in problems_of(write_folder(tmp_path, files)))


def problem_of(folder: Path) -> str:
    with pytest.raises(ConfigError) as raised:
        load_config(folder, {})
    return str(raised.value).replace(folder.as_posix(), "config")


@pytest.mark.parametrize("name", ["worker.yaml", "defaults.yaml", "agents/weather.yaml"])
def test_a_link_that_leads_nowhere_is_not_passed_over(tmp_path: Path, name: str) -> None:
    folder = write_folder(tmp_path / "config")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to("nowhere")
    assert problem_of(folder) == (
        f"config/{name}: cannot be read (No such file or directory); "
        "check the folder and its rights"
    )


def test_a_folder_that_cannot_be_looked_into_is_told(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 300)
    assert "config/agents: cannot be read (File name too long); check" in problem_of(folder)

"""A configuration made of a sample is one that its runs pass, whatever they are called."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from live_scoring.cli import main
from live_scoring.config import load_config
from live_scoring.core.run import ID_LIMIT
from live_scoring.wiring import build_plan

STRANGE_IDS = [
    "team/weather",
    "../weather",
    "a" * 200,
    "\u5929\u6c17\u30fc",
    "Weather",
    "weather",
    "WEATHER",
    "weather[1]",
    "weather*?",
    "[" * ID_LIMIT,
    "?" * (ID_LIMIT - 1) + "x",
    " weather ",
    "weather\n\x1b[2J",
    "\u202eweather",
    "weather\ud800",
    "weather_test",
    "others",
    ".",
    "-",
    "yes",
    "null",
    "1",
    "# not a comment",
    "weather: {}",
]
STRANGE_TOOLS = ["a\nb", "yes", "*x", "{a: b}", "#", "'\"", " look ", "x" * 300, "\x1b", "\u5929"]
CALL = {"name": "get_weather", "args": {"city": "Brooklyn"}, "result": {"sky": "sunny"}}
FAILED = CALL | {"is_error": True, "result": {"error": "away"}}


def run_of(number: int, agent_id: str = "weather", text: str = "Sunny", **fields: Any) -> bytes:
    said = {"role": "assistant", "text": text, "tool_invocations": fields.pop("calls", [CALL])}
    run = {"run_id": f"run-{number}", "agent_id": agent_id, "output": [said]}
    return json.dumps(run | fields).encode()


def init(folder: Path, lines: Iterable[bytes], *options: str) -> Result:
    """Make a configuration of a sample beside it."""
    (folder / "runs.jsonl").write_bytes(b"\n".join(lines))
    config = str(folder / "config")
    return CliRunner().invoke(
        main, ["init", str(folder / "runs.jsonl"), "--config", config, *options]
    )


def made(folder: Path, lines: Iterable[bytes], *options: str) -> Result:
    """The same where it must come to something, without a warning."""
    result = init(folder, lines, *options)
    assert (result.exit_code, result.stderr) == (0, "")
    return result


def evaluate(folder: Path) -> Result:
    arguments = ["eval", str(folder / "runs.jsonl"), "--config", str(folder / "config"), "--json"]
    return CliRunner().invoke(main, arguments)


def assert_passes(folder: Path, agents: int) -> None:
    result = evaluate(folder)
    told = json.loads(result.stdout)
    verdicts = [agent["verdict"] for agent in told["agents"].values()]
    assert verdicts == ["passed"] * agents
    assert (result.exit_code, result.stderr) == (0, "")


def agent_file(folder: Path, name: str = "weather") -> str:
    return (folder / "config" / "agents" / f"{name}.yaml").read_text()


def test_each_gate_says_what_was_seen_and_asks_a_little_less(tmp_path: Path) -> None:
    called = [run_of(number) for number in range(90)]
    failed = [run_of(number, calls=[FAILED, FAILED], text="") for number in range(90, 97)]
    silent = [run_of(number, calls=[]) for number in range(97, 100)]
    result = made(tmp_path, [*called, *failed, *silent])
    assert agent_file(tmp_path) == (
        f"# Begun by `live-scoring init` from {tmp_path.as_posix()}/runs.jsonl; runs seen: 100.\n"
        "# Each gate asks a little less than was seen: tell it what you want instead.\n"
        "agent: weather\n"
        "gates:\n"
        "  # No tool failed in 93 of 100 runs.\n"
        "  no-tool-errors: {no_tool_errors: {}, require: {pass_ratio: 0.88, min_failures: 3}}\n"
        "  # 93 of 100 runs said something.\n"
        "  says-something: {length: {min: 1}, require: {pass_ratio: 0.88, min_failures: 3}}\n"
        "  # 97 of 100 runs called get_weather.\n"
        "  called-get_weather: {called_tool: get_weather, "
        "require: {pass_ratio: 0.92, min_failures: 3}}\n"
        "  # The most calls that a run made are 2; twice as many are allowed.\n"
        "  tool-calls: {max_tool_calls: 4, require: {pass_ratio: 0.99, min_failures: 3}}\n"
        "  # 1 tool was called.\n"
        "  known-tools: {allowed_tools: [get_weather], "
        "require: {pass_ratio: 0.99, min_failures: 3}}\n"
    )
    lines = result.stdout.splitlines()
    config = (tmp_path / "config").as_posix()
    assert lines[0].endswith("runs.jsonl: 100 records, 100 runs")
    assert f"written to {config}: worker.yaml, agents/weather.yaml" in lines
    assert "weather: 5 gates, 0 scorers, windows 5m, 1h" in lines
    assert lines[-1].startswith("next: live-scoring eval ")
    assert_passes(tmp_path, agents=1)


def test_a_rule_that_few_runs_keep_is_only_suggested(tmp_path: Path) -> None:
    made(tmp_path, [run_of(number, calls=[FAILED]) for number in range(10)])
    assert "  # No tool failed in 0 of 10 runs.\n  # Too few to be a rule" in agent_file(tmp_path)
    assert "no_tool_errors" not in agent_file(tmp_path)


def test_an_agent_that_calls_no_tool_is_to_call_none(tmp_path: Path) -> None:
    made(tmp_path, [run_of(1, calls=[])])
    assert "  # 0 of 1 run called a tool.\n  no-tools: {used_no_tools: " in agent_file(tmp_path)
    assert_passes(tmp_path, agents=1)


def test_ids_that_are_no_good_names_of_files_work(tmp_path: Path) -> None:
    made(tmp_path, [run_of(n, agent_id) for n, agent_id in enumerate(STRANGE_IDS[:20])])
    files = [path.name for path in (tmp_path / "config" / "agents").iterdir()]
    assert len({name.lower() for name in files}) == 20
    plan = build_plan(load_config(tmp_path / "config", {}))
    assert len({id(plan.find(agent_id)) for agent_id in STRANGE_IDS[:20]}) == 20
    assert_passes(tmp_path, agents=20)


def test_ids_that_yaml_would_read_as_something_else_work(tmp_path: Path) -> None:
    made(tmp_path, [run_of(n, agent_id) for n, agent_id in enumerate(STRANGE_IDS[10:])])
    assert_passes(tmp_path, agents=len(STRANGE_IDS) - 10)


def test_names_of_tools_may_be_anything(tmp_path: Path) -> None:
    calls = [{"name": tool} for tool in STRANGE_TOOLS]
    made(tmp_path, [run_of(number, calls=calls) for number in range(3)], "--with-cases")
    assert "\n  # 3 of 3 runs called a\\nb.\n" in agent_file(tmp_path)
    assert_passes(tmp_path, agents=1)


def test_a_case_is_its_files_agents_even_if_that_is_called_as_a_glob(tmp_path: Path) -> None:
    made(tmp_path, [run_of(n, agent_id) for n, agent_id in enumerate("*?\n")], "--with-cases")
    assert_passes(tmp_path, agents=3)


def test_what_yaml_cannot_hold_is_left_out(tmp_path: Path) -> None:
    calls = [{"name": "look"}, {"name": "a\ud800", "args": {"\ud800": 1}}]
    made(tmp_path, [run_of(1, calls=calls)], "--with-cases")
    assert not (tmp_path / "config" / "agents" / "weather_test.yaml").exists()
    assert_passes(tmp_path, agents=1)
    assert "called-look" in agent_file(tmp_path)


def test_the_agents_beyond_twenty_share_a_file(tmp_path: Path) -> None:
    often = [run_of(n, f"often-{n % 20}", calls=[]) for n in range(60)]
    seldom = [run_of(n, f"seldom-{n}") for n in range(60, 85)]
    shaky = [run_of(n, "seldom-shaky", calls=[FAILED if n % 3 else CALL]) for n in range(85, 88)]
    made(tmp_path, [*often, *seldom, *shaky], "--with-cases")
    assert "agent: '*'\n" in agent_file(tmp_path, "others")
    assert "; runs seen: 28, of 26 agents without" in agent_file(tmp_path, "others")
    assert_passes(tmp_path, agents=46)


def test_runs_that_name_no_agent_are_of_the_one_that_the_file_is_called(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    made(tmp_path, [json.dumps({"messages": messages}).encode()])
    worker = yaml.safe_load((tmp_path / "config" / "worker.yaml").read_text())
    assert worker["topics"] == {"runs": ["agent-runs"], "agents": {"agent-runs": "runs"}}
    assert_passes(tmp_path, agents=1)


def test_a_format_that_had_to_be_named_is_written_down(tmp_path: Path) -> None:
    made(tmp_path, [run_of(1)], "--format", "native")
    worker = yaml.safe_load((tmp_path / "config" / "worker.yaml").read_text())
    assert worker["topics"]["formats"] == {"agent-runs": "native"}


def test_a_run_that_came_twice_counts_once(tmp_path: Path) -> None:
    made(tmp_path, [run_of(1), run_of(1)])
    assert "# 1 of 1 run called get_weather." in agent_file(tmp_path)


def test_texts_of_runs_are_written_only_when_asked_for(tmp_path: Path) -> None:
    made(tmp_path, [run_of(1, text="Dear Ms. Doe")])
    written = [path.read_text() for path in (tmp_path / "config").rglob("*.yaml")]
    assert len(written) == 2
    assert not any("Doe" in text for text in written)


def test_a_case_is_a_run_in_which_all_went_well_if_there_is_one(tmp_path: Path) -> None:
    lines = [run_of(1, calls=[FAILED]), run_of(2, text=""), run_of(3, text="Sunny \U0001f31e\n")]
    result = made(tmp_path, lines, "--with-cases")
    assert "weather: 5 gates, 0 scorers, windows 5m, 1h, 1 of 1 case passed" in result.stdout
    cases = yaml.safe_load(agent_file(tmp_path, "weather_test"))["cases"]
    assert cases[0]["run"]["run_id"] == "run-3"
    assert cases[0]["run"]["output"][0]["text"] == "Sunny \U0001f31e\n"


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "notes.txt").write_text("mine")
    result = init(tmp_path, [run_of(1)])
    assert (result.exit_code, result.stdout) == (2, "")
    folder = (tmp_path / "config").as_posix()
    assert result.stderr == (
        f"{folder}: holds more than worker.yaml, and nothing is overwritten; name a new folder "
        "with --config\n"
    )
    assert [path.name for path in (tmp_path / "config").iterdir()] == ["notes.txt"]


MAPPED = """\
topics: {runs: [own], formats: {own: mine}}
mappings: {mine: {agent_id: $.bot, text: $.answer}}
"""


def test_a_worker_file_that_is_there_reads_the_sample_and_stays(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "worker.yaml").write_text(MAPPED)
    made(tmp_path, [b'{"bot": "weather", "answer": "Sunny"}'])
    assert (tmp_path / "config" / "worker.yaml").read_text() == MAPPED
    assert "agent: weather\n" in agent_file(tmp_path)


def test_what_such_a_file_does_not_say_of_the_sample_is_told(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "worker.yaml").write_text(MAPPED.replace("agent_id: $.bot, ", ""))
    result = init(tmp_path, [b'{"answer": "Sunny"}'])
    assert result.exit_code == 0
    assert result.stderr == (
        "warning: worker.yaml: topics.agents: leaves out what was sampled; add {'own': 'runs'}\n"
    )


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file")
    result = init(tmp_path, [run_of(1)])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{(tmp_path / 'config').as_posix()}: cannot be written (")


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([], "holds no record; send runs to it first\n"),
        ([b"{}"], "holds no run that can be read; look with `live-scoring inspect "),
    ],
)
def test_a_sample_without_a_run_is_told_and_nothing_written(
    tmp_path: Path, lines: list[bytes], complaint: str
) -> None:
    result = init(tmp_path, lines)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in result.stderr
    assert not (tmp_path / "config").exists()


RUNS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "A"]),
        st.sampled_from(["", "hello"]),
        st.lists(st.sampled_from([CALL, FAILED, {"name": "other"}]), max_size=3),
    ),
    min_size=1,
    max_size=12,
)


@given(RUNS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_was_seen_passes(
    tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[str, str, list[Any]]]
) -> None:
    folder = tmp_path_factory.mktemp("sample")
    made(folder, [run_of(n, a, text, calls=calls) for n, (a, text, calls) in enumerate(runs)])
    assert_passes(folder, agents=len({agent for agent, _, _ in runs}))

"""`inspect` and `init` on topics of a broker: what is read, and that nothing is left behind."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
import yaml
from click.testing import CliRunner, Result

from live_scoring.adapters.kafka import count_partitions
from live_scoring.cli import main
from live_scoring.config import KafkaConfig
from tests.inspection.test_formats import FORMATS, SPLIT
from tests.integration import topics
from tests.integration.lab import PARTITIONS, Lab
from tests.integration.runs import native_run, now_ms
from tests.integration.topics import Sending

pytestmark = pytest.mark.integration

CALLS = [{"name": "get_weather", "args": {"city": "Brooklyn"}, "result": {"sky": "sunny"}}]


def run(lab: Lab, command: str, *arguments: str) -> Result:
    words = [command, "--bootstrap-servers", lab.address, *arguments]
    return CliRunner().invoke(main, words)


def inspected(lab: Lab, *arguments: str) -> list[dict[str, object]]:
    result = run(lab, "inspect", "--topic", lab.runs, "--json", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


def calling(number: int) -> Sending:
    said = {"role": "assistant", "text": "Sunny", "tool_invocations": CALLS * (number % 10 != 0)}
    return native_run(f"run-{number}", "weather-agent", output=[said])


def test_a_topic_becomes_a_configuration_by_which_a_worker_passes_it(
    lab: Lab, tmp_path: Path
) -> None:
    lab.send(calling(number) for number in range(100))
    config = tmp_path / "new"
    result = run(lab, "init", "--topic", lab.runs, "--config", str(config))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == f"topic {lab.runs}: 100 records, 100 runs"
    assert lines[-1] == f"next: live-scoring run --config {config}"
    worker = yaml.safe_load((config / "worker.yaml").read_text())
    assert worker["kafka"] == {"bootstrap_servers": lab.address}
    assert worker["topics"] == {"runs": [lab.runs]}
    rules = (config / "agents" / "weather-agent.yaml").read_text()
    assert "  # 90 of 100 runs called get_weather.\n" in rules
    replayed = CliRunner().invoke(main, ["replay", "--dry-run", "--config", str(config), "--json"])
    assert json.loads(replayed.stdout)["runs"] == 100


def test_the_newest_records_of_all_partitions_are_looked_at(lab: Lab) -> None:
    runs = (native_run(f"run-{number}", "agent-1") for number in range(200))
    lab.send(replace(run, partition=number % PARTITIONS) for number, run in enumerate(runs))
    newest = {f"run-{number}" for number in range(180, 200)}
    told = [one["run"] for one in inspected(lab)]
    assert {run["run_id"] for run in told if isinstance(run, dict)} == newest
    assert len(inspected(lab, "--limit", "1000")) == 200


def test_headers_key_and_the_traces_of_a_topic_count(lab: Lab) -> None:
    spans = (FORMATS / "a1_otlp_json_genai_trace_ok.json").read_bytes()
    messages = (FORMATS / "i1_pydantic_ai_messages.json").read_bytes()
    lab.send(
        [
            *(Sending(orjson.dumps(m["value"]), 2) for m in json.loads(SPLIT.read_text())[:3]),
            Sending(messages, 1, key=b"stock-agent"),
            Sending(spans, 3, headers=(("format", b"otlp_json"), ("empty", None))),
        ]
    )
    told = inspected(lab)
    runs = [one["run"] for one in told if isinstance(one["run"], dict)]
    agents = [agent["agent_id"] for agent in runs]
    assert sorted(agents) == ["agt_parcel_desk", "agt_parcel_desk", "stock-agent"]
    doubts = [doubt for one in told for doubt in as_list(one["not_understood"])]
    assert any(d.startswith("trace: lies in partitions") for d in doubts)


def as_list(value: object) -> list[str]:
    assert isinstance(value, list)
    return value


@pytest.mark.parametrize("command", ["inspect", "init"])
def test_a_topic_that_does_not_exist_is_told_and_not_created(
    lab: Lab, tmp_path: Path, command: str
) -> None:
    missing = f"{lab.runs}-missing"
    result = run(lab, command, "--topic", missing, *folder_of(command, tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"topic {missing}: does not exist on {lab.address}, or lacks the right Describe; "
        "name another with --topic, or grant it\n"
    )
    kafka = KafkaConfig(bootstrap_servers=lab.address)
    assert asyncio.run(count_partitions(kafka, [missing])) == {}


def folder_of(command: str, tmp_path: Path) -> list[str]:
    return ["--config", str(tmp_path / "new")] if command == "init" else []


def test_an_empty_topic_is_said_to_be_empty(lab: Lab, tmp_path: Path) -> None:
    shown = run(lab, "inspect", "--topic", lab.runs)
    assert (shown.exit_code, shown.stdout) == (0, f"topic {lab.runs}: 0 records, 0 runs\n")
    result = run(lab, "init", "--topic", lab.runs, "--config", str(tmp_path / "new"))
    assert result.exit_code == 2
    assert f"topic {lab.runs}: holds no record; send runs to it first" in result.stderr


def test_a_topic_whose_records_name_no_agent_is_the_agent(lab: Lab, tmp_path: Path) -> None:
    payload = (FORMATS / "i1_pydantic_ai_messages.json").read_bytes()
    topics.send(lab.address, lab.runs, [Sending(payload, 0, timestamp_ms=now_ms())])
    config = tmp_path / "new"
    assert run(lab, "init", "--topic", lab.runs, "--config", str(config)).exit_code == 0
    worker = yaml.safe_load((config / "worker.yaml").read_text())
    assert worker["topics"]["agents"] == {lab.runs: lab.runs}
    (told,) = inspected(lab, "--config", str(config))
    assert isinstance(told["run"], dict)
    assert told["run"]["agent_id"] == lab.runs

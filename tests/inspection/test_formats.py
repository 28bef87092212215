"""Inputs written from the specifications become the runs that stand beside them.

Moments are compared as such: the expectations write whole seconds in two ways. `notes` in them
speak to the reader.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from live_scoring.config import load_worker
from live_scoring.core.score import Source
from live_scoring.inspection.as_json import to_json_line
from live_scoring.inspection.inspector import Inspector
from live_scoring.inspection.record import Record
from live_scoring.telemetry.envelope import Envelope
from tests.inspection.inspecting import inspected

FORMATS = Path(__file__).parent / "formats"
SPLIT = FORMATS / "b1_kafka_split_trace_messages.json"
INPUTS = sorted(
    path
    for path in FORMATS.glob("*.json")
    if path != SPLIT and path.with_suffix(".expected.json").exists()
)
REQUIRED = {"run_id", "agent_id", "timestamp", "input", "output"}


def expected(path: Path) -> dict[str, Any]:
    told = json.loads(path.with_suffix(".expected.json").read_text())
    return {key: value for key, value in told.items() if key != "notes"}


def assert_is(run: dict[str, Any], wanted: dict[str, Any]) -> None:
    told = {key: run.get(key) for key in wanted}
    assert told | moment_of(told) == wanted | moment_of(wanted)
    assert run.keys() >= REQUIRED


def moment_of(run: dict[str, Any]) -> dict[str, datetime]:
    return {"timestamp": datetime.fromisoformat(run["timestamp"])}


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name[:2])
def test_an_input_becomes_the_run_beside_it(path: Path) -> None:
    (told,) = inspected(path)
    assert_is(told["run"], expected(path))


def test_a_normalised_run_is_printed_as_it_came() -> None:
    path = FORMATS / "z1_normalised_run_canonical.json"
    assert inspected(path) == [
        {"format": "native", "run": json.loads(path.read_text()), "not_understood": []}
    ]


def test_an_agent_that_nothing_names_is_null_and_said_to_be_missing() -> None:
    (told,) = inspected(FORMATS / "i1_pydantic_ai_messages.json")
    assert told["run"]["agent_id"] is None
    assert told["not_understood"][0].startswith("agent_id: neither in the payload nor in ")
    assert told["not_understood"][1:] == ["tool call reserve (call_3): has no result"]


def test_a_log_of_no_run_is_null() -> None:
    (told,) = inspected(FORMATS / "a4_otlp_json_logs_evaluation_result_event.json")
    assert (told["format"], told["run"]) == ("otlp_json", None)
    assert told["not_understood"] == ["none of 2 spans and log records tells of a run"]


def test_a_trace_in_many_records_is_a_run_and_is_said_to_lie_in_two_partitions() -> None:
    inspector = Inspector(load_worker(None, {}))
    messages = json.loads(SPLIT.read_text())
    found = [told for message in messages for told in inspector.take(record_of(message))]
    assert found == []
    told = [json.loads(to_json_line(inspected)) for inspected in inspector.flush()]
    assert_is(told[0]["run"], expected(FORMATS / "a1_otlp_json_genai_trace_ok.json"))
    assert told[0]["not_understood"] == [
        "trace: lies in partitions 2 and 0, where no worker joins it; key records by trace id"
    ]


def record_of(message: dict[str, Any]) -> Record:
    partition = message["partition"]
    envelope = Envelope(Source(message["topic"], partition, 0, 0), key_of(message))
    return Record("a record", json.dumps(message["value"]).encode(), envelope, None)


def key_of(message: dict[str, Any]) -> bytes | None:
    return message["key"].encode() if message["key"] else None

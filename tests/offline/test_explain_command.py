"""Which run of a file is explained."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from live_scoring.adapters.files import RunFile
from live_scoring.core.errors import LiveScoringError
from live_scoring.offline.explain_command import explain_file
from live_scoring.offline.explanation import Explanation
from tests.config.folders import agent_of, write_folder
from tests.offline.folders import run_line


def span_of(trace_id: str, span_id: str, **told: Any) -> dict[str, Any]:
    """A span of Mastra's."""
    ids = {"id": span_id, "traceId": trace_id, "startTime": 1_000, "endTime": 2_000}
    return ids | {"parentSpanId": "a"} | told


def spans_of(trace_id: str) -> list[dict[str, Any]]:
    said = {"type": "agent_run", "entityId": "weather-agent", "output": {"text": trace_id}}
    called = span_of(trace_id, "b", type="tool_call", entityName="get_weather")
    return [called, span_of(trace_id, "a", parentSpanId=None, **said)]


def explained(folder: Path, content: str, run_id: str | None = None) -> Explanation:
    path = folder / "runs.json"
    path.write_text(content)
    config = write_folder(folder, agent_of("{calls: {called_tool: get_weather}}"))
    return explain_file(RunFile(path, None, Console()), config, {}, None, run_id)


def refused(folder: Path, content: str, run_id: str | None = None) -> str:
    with pytest.raises(LiveScoringError) as raised:
        explained(folder, content, run_id)
    return str(raised.value).partition("runs.json: ")[2]


def lines(values: Iterable[Any]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def test_a_trace_in_one_file_is_explained(tmp_path: Path) -> None:
    explanation = explained(tmp_path, json.dumps(spans_of("t"), indent=2))
    assert (explanation.run.spaced_text, explanation.run.called_tools) == ("t", ("get_weather",))


def test_a_run_is_found_among_spans_on_many_lines(tmp_path: Path) -> None:
    spans = [span for both in zip(spans_of("t"), spans_of("u"), strict=True) for span in both]
    explanation = explained(tmp_path, lines(spans), "u")
    assert (explanation.run.spaced_text, explanation.run.called_tools) == ("u", ("get_weather",))


def test_a_run_is_found_among_those_of_one_record_on_many_lines(tmp_path: Path) -> None:
    content = json.dumps([*spans_of("t"), *spans_of("u")], indent=2)
    assert explained(tmp_path, content, "u").run.spaced_text == "u"


def test_a_record_of_several_runs_asks_which(tmp_path: Path) -> None:
    content = json.dumps([*spans_of("t"), *spans_of("u")])
    assert refused(tmp_path, content) == "holds 2 runs (t, u); choose one by --run ID"


def test_a_file_of_runs_asks_which_and_is_not_read_to_its_end(tmp_path: Path) -> None:
    runs = b"\n".join(run_line(f"run-{number}") for number in range(1, 5))
    told = "holds more than 3 runs (run-1, run-2, run-3, …); choose one by --run ID"
    assert refused(tmp_path, f"{runs.decode()}\njunk") == told


def test_spans_that_tell_of_no_agent_are_told(tmp_path: Path) -> None:
    content = json.dumps([span_of("t", "a", type="generic", parentSpanId=None)])
    assert refused(tmp_path, content) == "holds no run; give one, or spans of an agent"


def test_a_run_that_is_not_there_asks_for_the_id(tmp_path: Path) -> None:
    content = run_line("run-1").decode() + "\n"
    assert explained(tmp_path, content, "run-1").run.run_id == "run-1"
    assert refused(tmp_path, content, "run-2") == "holds no run run-2; correct the id"

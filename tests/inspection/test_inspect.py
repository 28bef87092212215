"""What `inspect` makes of files."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from live_scoring.cli import main
from tests.config.folders import write_folder
from tests.inspection.inspecting import inspect, inspected, run_line
from tests.inspection.test_formats import FORMATS

GOLDEN = Path(__file__).parents[1] / "golden"
MAPPED = """\
mappings:
  own: {agent_id: $.bot, text: $.answer, conversation_id: $.chat.id, tags: {env: "header:env"}}
"""


def written(path: Path, *lines: bytes) -> Path:
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def doubts(**fields: Any) -> list[str]:
    (told,) = inspected("-", stdin=run_line(**fields))
    found: list[str] = told["not_understood"]
    return found


def calling(**fields: Any) -> dict[str, Any]:
    call = {"name": "look_up"} | fields
    return {"output": [{"role": "assistant", "text": "hi", "tool_invocations": [call]}]}


def test_a_file_of_lines_is_a_record_a_line(tmp_path: Path) -> None:
    path = written(tmp_path / "runs.jsonl", run_line(), b"", b"nonsense", run_line(run_id="run-2"))
    told = inspected(path)
    assert [one["run"] and one["run"]["run_id"] for one in told] == ["run-1", None, "run-2"]
    assert told[1]["format"] is None
    assert told[1]["not_understood"][0].startswith("not_json: ")


def test_a_document_over_many_lines_is_one_record(tmp_path: Path) -> None:
    document = json.dumps(json.loads(run_line()), indent=2).encode()
    assert len(inspected(written(tmp_path / "run.json", document))) == 1


def test_a_broken_document_over_many_lines_is_one_bad_record(tmp_path: Path) -> None:
    document = json.dumps(json.loads(run_line()), indent=2).encode()[:-2]
    (told,) = inspected(written(tmp_path / "run.json", document))
    assert told["not_understood"][0].startswith("truncated_json: ")


def test_a_document_that_is_too_large_is_one_bad_record(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"worker.yaml": "limits: {max_bytes: 100}\n"})
    document = json.dumps(json.loads(run_line()), indent=2).encode()
    for path in (written(tmp_path / "run.json", document), written(tmp_path / "run", run_line())):
        (told,) = inspected(path, "--config", folder)
        assert told["not_understood"] == ["too_large: 101 bytes, at most 100"]


def test_bytes_of_protobuf_are_one_record() -> None:
    (told,) = inspected(GOLDEN / "otlp-proto-genai" / "input.bin")
    wanted = json.loads((GOLDEN / "otlp-proto-genai" / "expected.json").read_text())
    assert told["format"] == "otlp_proto"
    assert told["run"]["output"] == wanted["run"]["output"]


@pytest.mark.parametrize("stdin", [run_line(), run_line() + b"\n" + run_line(run_id="run-2")])
def test_standard_input_is_looked_at_like_a_file(stdin: bytes) -> None:
    assert len(inspected("-", stdin=stdin)) == stdin.count(b"run_id")


def test_a_gzipped_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl.gz"
    path.write_bytes(gzip.compress(run_line() + b"\n" + run_line(run_id="run-2")))
    assert len(inspected(path)) == 2


def test_an_empty_file_has_no_record(tmp_path: Path) -> None:
    path = written(tmp_path / "runs.jsonl")
    assert inspected(path) == []
    assert inspect(path).stdout == f"{path}: 0 records, 0 runs\n"


def test_a_limit_ends_the_reading(tmp_path: Path) -> None:
    path = written(tmp_path / "runs.jsonl", *(run_line(run_id=f"run-{n}") for n in range(5)))
    assert len(inspected(path, "--limit", "2")) == 2


@pytest.mark.parametrize(
    ("fields", "doubt"),
    [
        (calling(id="call-1", state="call"), "tool call look_up (call-1): has no result"),
        (calling(args='{"a": '), "tool call look_up: its arguments are no JSON object"),
        (calling(state="partial-call"), "tool call look_up: its arguments were still streaming"),
        (calling(name="\x1b", args="x"), "tool call \\x1b: its arguments are no JSON object"),
        ({"output": []}, "output: says nothing and calls nothing"),
        ({"timestamp": None}, "timestamp: is not told; the record's own time counts"),
    ],
)
def test_what_a_run_leaves_open_is_said(fields: dict[str, Any], doubt: str) -> None:
    assert doubts(**fields) == [doubt]


def test_many_like_doubts_are_counted() -> None:
    call = {"name": "look_up", "state": "call"}
    found = doubts(output=[{"role": "assistant", "text": "", "tool_invocations": [call] * 100}])
    assert found[20:] == ["tool calls: 80 more like these"]


def test_a_refused_record_has_the_format_that_it_looks_like() -> None:
    (told,) = inspected("-", stdin=run_line(output=None))
    assert told == {
        "format": "native",
        "run": None,
        "not_understood": ["missing_field: output: Field required"],
    }


def test_places_of_a_mapping_that_lead_to_nothing_are_said(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"worker.yaml": MAPPED})
    payload = b'{"bot": "own-bot", "answer": "hi", "chat": {}}'
    (told,) = inspected("-", "--config", folder, "--format", "own", stdin=payload)
    assert (told["format"], told["run"]["agent_id"]) == ("own", "own-bot")
    assert told["not_understood"] == [
        "conversation_id: $.chat.id leads to nothing; $['chat'] is an object with no keys",
        "tags.env: header:env leads to nothing; the record has no headers",
        "timestamp: is not told; the record's own time counts",
    ]


def test_a_root_that_did_not_come_and_spans_that_nothing_reads_are_said(tmp_path: Path) -> None:
    payload = json.loads((FORMATS / "a1_otlp_json_genai_trace_ok.json").read_text())
    spans = payload["resourceSpans"][0]["scopeSpans"][0]["spans"]
    (root,) = [span for span in spans if not span.get("parentSpanId")]
    other = {**spans[0], "name": "GET /parcels", "spanId": "00000000000000ff", "attributes": []}
    root["parentSpanId"] = "00000000000000ee"
    path = written(tmp_path / "spans.json", json.dumps(payload).encode())
    spans.append(other)
    path = written(tmp_path / "spans.json", json.dumps(payload).encode())
    (told,) = inspected(path)
    assert told["run"]["agent_id"] == "agt_parcel_desk"
    count = len(spans)
    assert told["not_understood"] == [
        "trace: its root did not come; missing is '00000000000000ee'",
        f"spans: 1 of {count} tell of no agent, model or tool: GET /parcels",
    ]


def test_open_traces_take_no_more_room_than_a_worker_gives_them(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"worker.yaml": "assembly: {max_open_bytes: 4000}"})
    trace = json.loads((FORMATS / "a1_otlp_json_genai_trace_ok.json").read_text())
    written_trace = json.dumps(trace).encode()
    other = written_trace.replace(b"7c1f0e2ab94d4a0f", b"8c1f0e2ab94d4a0f")
    path = written(tmp_path / "spans.jsonl", written_trace, other)
    told = inspected(path, "--config", folder)
    assert [run["not_understood"] for run in told] == [
        ["trace: was closed before its end (evicted); see assembly in worker.yaml"]
    ] * len(told)
    assert len(told) == 2


def test_people_get_a_block_a_record_and_a_summary() -> None:
    lines = inspect(FORMATS / "f1_openai_chat_messages.json").stdout.splitlines()
    name = (FORMATS / "f1_openai_chat_messages.json").as_posix()
    assert lines[0] == f"{name}  openai_chat (by its look)"
    assert "  run       run-f1 of agent ledger-bot, ended 2026-11-01T12:00:00.000Z" in lines
    assert "  ?         tool call notify (call_p2): has no result" in lines
    assert lines[-4:] == [
        f"{name}: 1 record, 1 run",
        "  formats   openai_chat 1",
        "  agents    ledger-bot 1",
        "  tools     post_invoice 1 (1 failed), notify 1 (1 failed)",
    ]


def test_nothing_of_a_record_can_act_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "\a"
    hostile = "\a\u202e\n"
    said = {"role": hostile, "text": hostile, "tool_invocations": [{"name": hostile, "id": "i"}]}
    written(path, run_line(run_id=hostile, agent_id=hostile, output=[said], input=hostile))
    assert inspect(path).stdout.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "FILE, --topic: records lie in one of them; give one of the two\n"),
        (["-", "--topic", "t"], "FILE, --topic: records lie in one of them; give one of the two\n"),
        (["-", "--format", "natve"], "--format: 'natve' is none of "),
        (["gone.jsonl"], "gone.jsonl: cannot be read (No such file or directory); "),
        (["-", "--config", "gone"], "gone: is no folder; name the one with worker.yaml\n"),
    ],
)
def test_what_cannot_be_used_exits_2_with_a_line(arguments: list[str], complaint: str) -> None:
    result = CliRunner().invoke(main, ["inspect", *arguments])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(complaint)

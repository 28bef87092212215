"""One contract for all of `FORMATS`: any bytes become a run, or a failure that says why."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.decoding import DecodeReason, parse_json
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.core.wire import to_json
from live_scoring.dialects import read_trace
from live_scoring.formats import FORMATS, Decoded, Limits, Pieces, decode, looks_like
from live_scoring.telemetry.envelope import Envelope
from tests.formats.payloads import PAYLOADS, damaged
from tests.formats.strategies import JSON_VALUES, NATIVE_RUNS

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = sorted(p.name for p in GOLDEN.iterdir() if not p.name.startswith("recorded-"))
ENVELOPE = Envelope(agent_id="a")
NAMES = st.sampled_from([None, *FORMATS])
RUN = {"run_id": "r", "agent_id": "a", "output": [{"role": "assistant", "text": "hello"}]}


def refusal(
    payload: bytes | None, name: str | None = None, limits: Limits | None = None
) -> Failure:
    answer = decode(payload, name, limits or Limits())
    assert isinstance(answer, Failure)
    assert answer.stage == "decode"
    assert answer.reason in get_args(DecodeReason)
    return answer


@cache
def golden(case: str) -> tuple[bytes, dict[str, Any]]:
    (payload,) = (GOLDEN / case).glob("input.*")
    return payload.read_bytes(), json.loads((GOLDEN / case / "expected.json").read_text())


def read(case: str, *, names_format: bool = False) -> tuple[str, Sequence[AgentRun]]:
    """The format of a golden input and the runs that it becomes, all of one trace."""
    payload, expected = golden(case)
    told = expected.get("envelope", {})
    envelope = Envelope(agent_id=told.get("agent_id"), headers=headers(told.get("run_id")))
    return runs_of(payload, envelope, expected["format"] if names_format else None)


def runs_of(
    payload: bytes, envelope: Envelope, name: str | None = None
) -> tuple[str, Sequence[AgentRun]]:
    answer = decode(payload, name, envelope=envelope)
    assert not isinstance(answer, Failure), answer
    if isinstance(answer, Decoded):
        return answer.format_name, (answer.run,)
    runs = read_trace(answer.spans)
    assert not isinstance(runs, Failure), runs
    return answer.format_name, runs


def headers(run_id: str | None) -> Sequence[tuple[str, bytes]]:
    return () if run_id is None else (("run-id", run_id.encode()),)


@pytest.mark.parametrize("case", CASES)
def test_a_golden_input_becomes_its_runs(case: str, is_updating: bool) -> None:
    expected = golden(case)[1]
    format_name, runs = read(case)
    if is_updating:
        told = {"envelope": expected["envelope"]} if "envelope" in expected else {}
        dumped = [run.model_dump(mode="json", exclude_unset=True) for run in runs]
        named = {"run": dumped[0]} if len(dumped) == 1 else {"runs": dumped}
        written = json.dumps({"format": format_name} | told | named, indent=2) + "\n"
        (GOLDEN / case / "expected.json").write_text(written)
        return
    wanted = [expected["run"]] if "run" in expected else expected["runs"]
    assert format_name == expected["format"]
    assert list(runs) == [AgentRun.model_validate(run) for run in wanted]


@pytest.mark.parametrize("odd", ["\0", "\ud83d"])
@pytest.mark.parametrize("case", sorted({*CASES} - {"otlp-json-evaluation-log"}))  # of no run
def test_an_agent_goes_by_a_name_that_every_label_can_hold(case: str, odd: str) -> None:
    payload, expected = golden(case)
    told = expected.get("envelope", {})
    (agent,) = {run.agent_id for run in read(case)[1]}
    if "proto" in case:  # which holds text as UTF-8, with its length
        payload = payload.replace(agent.encode(), f"{agent[:-1]}\0".encode())
    else:
        written = json.dumps(agent)[1:-1].encode()
        payload = payload.replace(written, written[:-1] + json.dumps(odd)[1:-1].encode())
    by_topic = f"{agent[:-1]}{odd}" if "agent_id" in told else None
    envelope = Envelope(agent_id=by_topic, headers=headers(told.get("run_id")))
    assert {run.agent_id for run in runs_of(payload, envelope)[1]} == {f"{agent[:-1]}\ufffd"}


@pytest.mark.parametrize("case", CASES)
def test_a_named_format_is_the_one_that_is_seen_by_looking(case: str) -> None:
    assert read(case, names_format=True) == read(case)


@pytest.mark.parametrize("case", sorted(path.name for path in GOLDEN.iterdir()))
def test_a_payload_looks_like_no_format_but_its_own(case: str) -> None:
    payload, expected = golden(case)
    value = parse_json(payload)
    seen = [
        name
        for name, form in FORMATS.items()
        if form.recognises(payload if form.is_binary else value)
    ]
    assert seen == [expected["format"]]


def test_every_format_has_a_golden_case() -> None:
    assert {golden(case)[1]["format"] for case in CASES} == set(FORMATS)


def test_every_format_is_drawn() -> None:
    assert PAYLOADS.keys() == FORMATS.keys()


@given(st.binary(), NAMES)
def test_no_bytes_raise(payload: bytes, name: str | None) -> None:
    assert_read_or_refused(payload, name)


@given(JSON_VALUES, NAMES)
def test_no_json_raises(value: Any, name: str | None) -> None:
    assert_read_or_refused(to_json(value), name)


@pytest.mark.parametrize("name", PAYLOADS)
@given(st.data())
def test_no_damage_to_a_payload_raises(name: str, data: st.DataObject) -> None:
    value = data.draw(damaged(PAYLOADS[name]))
    payload = value if isinstance(value, bytes) else to_json(value)
    assert_read_or_refused(payload, name)
    assert_read_or_refused(payload, None)


@pytest.mark.parametrize("name", sorted(PAYLOADS.keys() - {"mastra"}))
@given(st.data())
def test_what_is_drawn_for_a_format_is_read(name: str, data: st.DataObject) -> None:
    value = data.draw(PAYLOADS[name])
    payload = value if isinstance(value, bytes) else to_json(value)
    answer = decode(payload, name, envelope=ENVELOPE)
    assert not isinstance(answer, Failure) or answer.reason == "no_content", answer


def assert_read_or_refused(payload: bytes, name: str | None) -> None:
    answer = decode(payload, name, envelope=ENVELOPE)
    if isinstance(answer, Pieces):
        assert isinstance(read_trace(answer.spans), Sequence | Failure)
    elif isinstance(answer, Failure):
        assert answer.reason in get_args(DecodeReason)
    else:
        assert isinstance(answer, Decoded)


@given(NATIVE_RUNS)
def test_a_native_run_reads_alike_in_one_pass_and_in_two(value: dict[str, Any]) -> None:
    quick, slow = to_json(value), json.dumps({"note": "\ud83d"} | value).encode()
    assert decode(quick) == decode(slow) == Decoded(AgentRun.model_validate(value), "native")


def test_a_payload_cut_off_anywhere_is_truncated() -> None:
    payload = to_json(RUN | {"input": {"é😀\n": [1.5e-3, -2, True, None]}})
    for length in range(1, len(payload)):
        assert refusal(payload[:length]).reason == "truncated_json"


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (None, "empty"),
        (b"", "empty"),
        (b" ", "not_json"),
        (b"hello", "not_json"),
        (b"\xff", "not_json"),
        (b'\xef\xbb\xbf{"run_id": "r"}', "not_json"),
        ('{"run_id": "r"}'.encode("utf-16"), "not_json"),
        ('{"run_id": "r"}'.encode("utf-16-le"), "not_json"),
        (b'{"run_id": "r"} {"run_id": "r"}', "not_json"),
        (b'{"run_id": NaN}', "not_json"),
        (b'{"run_id": -Infinity}', "not_json"),
        (b'{"input": ' + b"9" * 5_000 + b"}", "not_json"),
        (b"[" * 101 + b"]" * 101, "too_deep"),
        (b"[" * 100_000 + b"]" * 100_000, "too_deep"),
        (b"null", "unknown_format"),
        (b"17", "unknown_format"),
        (b'"run_id"', "unknown_format"),
        (b"[" * 100 + b"]" * 100, "unknown_format"),
        (b"{}", "unknown_format"),
        (b'{"messages": []}', "unknown_format"),
    ],
)
def test_what_is_no_run_is_refused_for_its_reason(payload: bytes | None, reason: str) -> None:
    assert refusal(payload).reason == reason


@pytest.mark.parametrize(
    ("change", "reason", "detail"),
    [
        ({"agent_id": None}, "bad_field", "agent_id: Input should be a valid string"),
        ({"run_id": ""}, "bad_field", "run_id: Has 0 characters; give 1 to 1024"),
        ({"output": None}, "bad_field", "output: Input should be an array"),
        ({"output": ["hello"]}, "bad_field", "output[0]: Input should be an object"),
        ({"tags": []}, "bad_field", "tags: Input should be an object"),
        ({"output": [{"role": "assistant"}]}, "missing_field", "output[0].text: Field required"),
        (
            {"output": [{"role": "a", "text": "", "toolInvocations": [{"state": "secret"}]}]},
            "bad_field",
            "output[0].tool_invocations[0].state: "
            "Input should be 'result', 'call' or 'partial-call'",
        ),
        (
            {"timestamp": "secret"},
            "bad_field",
            "timestamp: Input should be a valid datetime or date, input is too short",
        ),
    ],
)
def test_a_bad_field_is_named_without_its_value(
    change: dict[str, Any], reason: str, detail: str
) -> None:
    answer = refusal(to_json(RUN | change))
    assert answer == Failure("decode", reason, detail)
    assert "secret" not in answer.detail


@pytest.mark.parametrize("missing", RUN)
def test_a_missing_field_is_named(missing: str) -> None:
    answer = refusal(to_json({key: value for key, value in RUN.items() if key != missing}))
    assert answer == Failure("decode", "missing_field", f"{missing}: Field required")


def test_a_format_nobody_knows_is_named_with_those_that_are_known() -> None:
    answer = refusal(to_json(RUN), "otlp")
    known = ", ".join(FORMATS)
    detail = f"format 'otlp': is none of {known}; give JSON of your own making a mapping"
    assert answer == Failure("decode", "unknown_format", detail)


def test_a_named_format_is_believed_against_the_look_of_the_payload() -> None:
    assert refusal(to_json(RUN), "mastra").reason == "missing_field"


def test_limits_hold_to_the_byte_and_the_level() -> None:
    payload = to_json(RUN)
    assert isinstance(decode(payload, None, Limits(max_bytes=len(payload))), Decoded)
    assert refusal(payload, None, Limits(max_bytes=len(payload) - 1)).reason == "too_large"
    assert isinstance(decode(payload, None, Limits(max_depth=3)), Decoded)
    assert refusal(payload, None, Limits(max_depth=2)).reason == "too_deep"


def test_a_run_of_many_brackets_is_not_a_deep_one() -> None:
    payload = to_json(RUN | {"input": [[]] * 500})
    assert isinstance(decode(payload), Decoded)


@pytest.mark.parametrize("key", ["messages", "entity", "resourceSpans"])
def test_a_whole_native_run_is_one_whatever_else_it_holds_in_one_pass_and_in_two(key: str) -> None:
    run = RUN | {key: [{}]}
    for payload in (to_json(run), to_json(run | {"input": [[]] * 500})):
        answer = decode(payload)
        assert isinstance(answer, Decoded)
        assert answer.format_name == "native"


def test_of_a_repeated_key_the_last_counts_in_one_pass_and_in_two() -> None:
    payload = b'{"run_id": "old", ' + to_json(RUN)[1:]
    for given_payload in (payload, payload[:-1] + b', "note": "NaN"}'):
        answer = decode(given_payload)
        assert isinstance(answer, Decoded)
        assert answer.run.run_id == "r"


def test_text_may_speak_of_nan() -> None:
    assert isinstance(decode(to_json(RUN | {"input": "NaN, Infinity"})), Decoded)


def test_a_native_run_that_names_no_agent_is_that_of_its_envelope() -> None:
    payload = to_json({key: value for key, value in RUN.items() if key != "agent_id"})
    answer = decode(payload, envelope=Envelope(agent_id="agent-of-the-topic"))
    assert isinstance(answer, Decoded)
    assert answer.run.agent_id == "agent-of-the-topic"


def test_the_look_of_a_payload_is_told_also_where_it_cannot_be_read() -> None:
    assert looks_like(b'{"run_id": 1}') == "native"
    assert looks_like(b"{") is None

"""OTLP in JSON and in protobuf: the same spans, whatever carries them."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.score import Failure
from live_scoring.core.wire import to_json
from live_scoring.dialects import read_trace
from live_scoring.formats import Pieces, decode
from live_scoring.telemetry.span import Span, SpanEvent
from tests.formats.otlp import (
    REQUESTS,
    START_NS,
    TRACE_ID,
    as_proto,
    attributes,
    log,
    logs_request,
    span,
    spans_request,
)


def pieces(payload: bytes, name: str | None = None) -> tuple[Span, ...]:
    answer = decode(payload, name)
    assert isinstance(answer, Pieces), answer
    return answer.spans


def refusal(payload: Any, name: str | None = None) -> Failure:
    answer = decode(payload if isinstance(payload, bytes) else to_json(payload), name)
    assert isinstance(answer, Failure)
    return answer


def value_of(tagged: Any) -> Any:
    """The plain value of an attribute in JSON."""
    given_span = span(1, attributes=[{"key": "a", "value": tagged}])
    (read,) = pieces(to_json(spans_request(given_span)))
    return read.attributes["a"]


@given(REQUESTS)
def test_json_and_protobuf_of_one_request_are_the_same_spans(request: Any) -> None:
    in_json, in_proto = to_json(request), as_proto(request)
    assert pieces(in_json) == pieces(in_proto, "otlp_proto")
    assert decode(in_proto) == decode(in_proto, "otlp_proto")


@given(REQUESTS, st.data())
def test_no_damage_to_protobuf_raises(request: Any, data: st.DataObject) -> None:
    payload = bytearray(as_proto(request))
    for _ in range(data.draw(st.integers(1, 3))):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    answer = decode(bytes(payload), "otlp_proto")
    if isinstance(answer, Pieces):
        assert isinstance(read_trace(answer.spans), Sequence | Failure)
    else:
        assert isinstance(answer, Failure)


def test_a_span_tells_its_place_its_time_its_state_and_its_origin() -> None:
    told = span(
        2,
        {"gen_ai.usage.input_tokens": 61},
        parentSpanId="00000000000000A1",
        status={"code": 2, "message": "timed out"},
        events=[{"name": "exception", "timeUnixNano": "7", "attributes": attributes({"a": True})}],
    )
    request = spans_request(told, resource={"service.name": "desk"})
    wanted = Span(
        trace_id=TRACE_ID,
        span_id="0000000000000002",
        parent_id="00000000000000a1",
        name="chat",
        start_ns=START_NS + 2,
        end_ns=START_NS + 1_000_000_002,
        attributes={"gen_ai.usage.input_tokens": 61},
        events=(SpanEvent("exception", 7, {"a": True}),),
        error="timed out",
        resource={"service.name": "desk"},
        scope="acme",
    )
    assert pieces(to_json(request)) == pieces(as_proto(request)) == (wanted,)


def test_what_is_left_out_has_its_zero_value() -> None:
    bare = {"traceId": TRACE_ID.upper(), "spanId": "000000000000000a"}
    (read,) = pieces(to_json({"resourceSpans": [{"scopeSpans": [{"spans": [bare]}]}]}))
    assert read == Span(TRACE_ID, "000000000000000a", None, "", 0, None)


@pytest.mark.parametrize("parent", ["", "0" * 16, None])
def test_a_root_has_no_parent_however_that_is_written(parent: str | None) -> None:
    (read,) = pieces(to_json(spans_request(span(1, parentSpanId=parent))))
    assert read.parent_id is None


def test_a_status_may_be_named() -> None:
    (read,) = pieces(to_json(spans_request(span(1, status={"code": "STATUS_CODE_ERROR"}))))
    assert read.error == ""


@pytest.mark.parametrize(
    ("tagged", "plain"),
    [
        ({"intValue": "61"}, 61),
        ({"intValue": 61}, 61),
        ({"intValue": "many"}, None),
        ({"intValue": "9" * 5_000}, None),
        ({"doubleValue": 0.5}, 0.5),
        ({"doubleValue": "NaN"}, None),
        ({"boolValue": False}, False),
        ({"bytesValue": "AAE="}, "AAE="),
        ({"arrayValue": {"values": [{"stringValue": "a"}, {}]}}, ["a", None]),
        ({"arrayValue": {}}, []),
        ({"kvlistValue": {"values": [{"key": "k", "value": {"stringValue": "v"}}]}}, {"k": "v"}),
        ({"kvlistValue": {}}, {}),
        ({"newValue": 1}, None),
        ({}, None),
    ],
)
def test_an_attribute_becomes_a_plain_value(tagged: Any, plain: Any) -> None:
    assert value_of(tagged) == plain


def test_a_number_that_json_has_not_is_none_in_protobuf_too() -> None:
    for number in ("NaN", "Infinity"):
        told = span(1, attributes=[{"key": "a", "value": {"doubleValue": number}}])
        (read,) = pieces(as_proto(spans_request(told)))
        assert read.attributes == {"a": None}


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"traceId": "abc"}, "traceId: String should match pattern"),
        ({"spanId": "AAAAAAAAAKI="}, "spanId: String should match pattern"),
        ({"startTimeUnixNano": "soon"}, "startTimeUnixNano: Input should be a valid integer"),
        ({"startTimeUnixNano": str(2**64)}, "startTimeUnixNano: Input should be less than"),
        ({"attributes": {"a": 1}}, "attributes: Value error, Input should be an array"),
    ],
)
def test_a_bad_field_of_a_span_is_named(change: dict[str, Any], detail: str) -> None:
    answer = refusal(spans_request(span(1) | change))
    assert answer.reason == "bad_field"
    assert answer.detail.startswith(f"resourceSpans[0].scopeSpans[0].spans[0].{detail}")


def test_a_span_without_its_ids_is_refused_in_protobuf() -> None:
    assert refusal(as_proto(spans_request(span(1), span(2, spanId="00")))).reason == "bad_field"


def test_a_log_record_stands_under_the_span_that_it_tells_of() -> None:
    request = logs_request(log(4, {"a": 1}, eventName="gen_ai.choice", body={"stringValue": "b"}))
    (read,) = pieces(to_json(request))
    assert read.is_log
    assert (read.trace_id, read.parent_id, read.name) == (TRACE_ID, f"{4:016x}", "gen_ai.choice")
    assert read.start_ns == read.end_ns == START_NS + 4
    assert read.attributes == {"a": 1, "body": "b"}


def test_a_log_record_may_be_named_and_told_in_its_older_places() -> None:
    told = attributes({"event.name": "gen_ai.choice"})
    body = {"kvlistValue": {"values": attributes({"index": 0})}}
    fields: dict[str, Any] = {"timeUnixNano": "0", "observedTimeUnixNano": "9", "body": body}
    (read,) = pieces(to_json(logs_request(log(4, attributes=told, **fields))))
    assert (read.name, read.start_ns, read.attributes["index"]) == ("gen_ai.choice", 9, 0)


def test_a_repeated_log_record_is_the_same_and_two_are_two() -> None:
    one, other = log(4, {"a": 1}), log(4, {"a": 2})
    ids = [read.span_id for read in pieces(to_json(logs_request(one, other, one)))]
    assert ids[0] == ids[2] != ids[1]


def test_log_records_outside_of_all_traces_share_none() -> None:
    logs = [log(n, {"a": n}, traceId="", spanId="") for n in (1, 2)]
    read = pieces(to_json(logs_request(*logs)))
    assert len({each.trace_id for each in read}) == 2


@pytest.mark.parametrize(
    "payload",
    [b'\n{"resourceSpans": []}', b"\n", b"\n\x03abc", b"\n\x00", b"\x00\x01\x02", b"\n" * 12],
)
def test_bytes_that_are_no_request_are_not_taken_for_one(payload: bytes) -> None:
    answer = decode(payload)
    assert not isinstance(answer, Pieces) or answer.format_name == "otlp_json"
    assert refusal(payload, "otlp_proto").reason == "bad_field"


def test_a_payload_that_is_called_otlp_but_is_none_is_refused() -> None:
    assert refusal({"run_id": "r"}, "otlp_json").reason == "missing_field"
    assert refusal(to_json(spans_request(span(1)))[:-9], "otlp_json").reason == "truncated_json"


def test_values_too_deep_are_refused() -> None:
    value: Any = {"stringValue": "a"}
    for _ in range(200):
        value = {"arrayValue": {"values": [value]}}
    request = spans_request(span(1, attributes=[{"key": "a", "value": value}]))
    assert refusal(request).reason == "too_deep"


def test_one_record_may_mix_traces_and_processes() -> None:
    first, second = (
        spans_request(span(n, traceId=f"{n:032x}"), resource={"service.name": f"s{n}"})
        for n in (1, 2)
    )
    mixed = {"resourceSpans": first["resourceSpans"] + second["resourceSpans"]}
    told = {read.trace_id: read.resource["service.name"] for read in pieces(as_proto(mixed))}
    assert told == {f"{1:032x}": "s1", f"{2:032x}": "s2"}

"""How Mastra's exported spans become spans."""

from typing import Any

import pytest

from live_scoring.core.score import Failure
from live_scoring.core.wire import to_json
from live_scoring.formats import Pieces, decode
from live_scoring.telemetry.span import Span

EXPORTED = {
    "id": "s1",
    "traceId": "t",
    "name": "agent run: 'menu'",
    "type": "agent_run",
    "startTime": "2026-11-01T12:00:00.000Z",
    "endTime": "2026-11-01T12:00:02.000Z",
}
START_NS = 1_793_534_400_000_000_000


def spans_of(value: Any) -> tuple[Span, ...]:
    answer = decode(to_json(value))
    assert isinstance(answer, Pieces), answer
    assert answer.format_name == "mastra_spans"
    return answer.spans


def event(kind: str, **fields: Any) -> dict[str, Any]:
    told = {key: value for key, value in (EXPORTED | fields).items() if value is not None}
    return {"type": kind, "exportedSpan": told}


@pytest.mark.parametrize(
    "value",
    [
        EXPORTED,
        [EXPORTED],
        event("span_ended"),
        [event("span_ended")],
        {"spans": [EXPORTED]},
    ],
)
def test_a_span_comes_alone_in_an_event_and_in_a_list(value: Any) -> None:
    (span,) = spans_of(value)
    assert (span.trace_id, span.span_id, span.parent_id) == ("t", "s1", None)
    assert (span.start_ns, span.end_ns) == (START_NS, START_NS + 2_000_000_000)
    assert (span.name, span.error) == ("agent run: 'menu'", None)
    assert span.attributes == EXPORTED


def test_of_several_tellings_of_a_span_the_ended_one_wins_and_else_the_last() -> None:
    started = event("span_started", endTime=None, name="started")
    updated = event("span_updated", endTime=None, name="updated")
    ended = event("span_ended", name="ended")
    assert [span.name for span in spans_of([started, ended, updated])] == ["ended"]
    assert [span.name for span in spans_of([started, updated])] == ["updated"]


def test_a_span_tells_its_parent_and_its_failure() -> None:
    (span,) = spans_of(EXPORTED | {"parentSpanId": "s0", "errorInfo": {"message": "503"}})
    assert (span.parent_id, span.error) == ("s0", "503")


def test_an_event_has_no_length() -> None:
    (span,) = spans_of(event("span_ended", isEvent=True, endTime=None))
    assert span.end_ns == span.start_ns


@pytest.mark.parametrize(
    ("fields", "reason", "where"),
    [
        ({"id": None}, "missing_field", "[0].id"),
        ({"traceId": 17}, "bad_field", "[0].trace_id"),
        ({"startTime": "noon"}, "bad_field", "[0].start_time"),
        ({"errorInfo": "503"}, "bad_field", "[0].error"),
    ],
)
def test_a_span_amiss_is_refused(fields: dict[str, Any], reason: str, where: str) -> None:
    answer = decode(to_json(event("span_ended", **fields)), "mastra_spans")
    assert isinstance(answer, Failure)
    assert (answer.reason, answer.detail.split(":")[0]) == (reason, where)

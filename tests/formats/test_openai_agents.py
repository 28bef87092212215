"""How the items that the OpenAI Agents SDK exports become spans."""

from typing import Any

import pytest

from live_scoring.core.score import Failure
from live_scoring.core.wire import to_json
from live_scoring.formats import Pieces, decode
from live_scoring.telemetry.span import Span

TRACE = {"object": "trace", "id": "t", "workflow_name": "Front desk"}
SPAN = {
    "object": "trace.span",
    "id": "s1",
    "trace_id": "t",
    "parent_id": None,
    "started_at": "2026-11-01T12:00:00.000001+00:00",
    "ended_at": "2026-11-01T12:00:02+00:00",
    "span_data": {"type": "agent", "name": "desk"},
    "error": None,
}
START_NS = 1_793_534_400_000_001_000


def spans_of(value: Any) -> tuple[Span, ...]:
    answer = decode(to_json(value))
    assert isinstance(answer, Pieces), answer
    assert answer.format_name == "openai_agents"
    return answer.spans


@pytest.mark.parametrize("value", [SPAN, [SPAN], {"data": [SPAN]}])
def test_a_span_comes_alone_in_a_list_and_in_a_request(value: Any) -> None:
    (span,) = spans_of(value)
    assert (span.trace_id, span.span_id, span.parent_id, span.name) == ("t", "s1", None, "desk")
    assert (span.start_ns, span.end_ns, span.error) == (START_NS, 1_793_534_402_000_000_000, None)
    assert span.attributes == SPAN


def test_a_trace_is_an_event_of_itself_and_no_root() -> None:
    trace, span = spans_of([TRACE, SPAN])
    assert (trace.trace_id, trace.is_log, span.is_log) == ("t", True, False)
    assert trace.span_id not in ("t", span.span_id)


@pytest.mark.parametrize(("message", "error"), [("away", "away"), (None, "")])
def test_a_span_that_failed_says_why(message: str | None, error: str) -> None:
    (span,) = spans_of(SPAN | {"error": {"message": message, "data": None}, "ended_at": None})
    assert (span.error, span.end_ns) == (error, None)


@pytest.mark.parametrize(
    ("value", "reason", "where"),
    [
        (SPAN | {"started_at": None}, "bad_field", "[0].trace.span.started_at"),
        (SPAN | {"span_data": None}, "bad_field", "[0].trace.span.span_data"),
        ([TRACE, {"object": "trace.note"}], "bad_field", "[1]"),
        ({"object": "trace"}, "missing_field", "[0].trace.id"),
    ],
)
def test_an_item_amiss_is_refused(value: Any, reason: str, where: str) -> None:
    answer = decode(to_json(value), "openai_agents")
    assert isinstance(answer, Failure)
    assert (answer.reason, answer.detail.split(":")[0]) == (reason, where)

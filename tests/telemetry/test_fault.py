"""How a span's failure is told."""

import pytest

from live_scoring.telemetry.fault import Fault, fault_of
from live_scoring.telemetry.span import Span, SpanEvent
from tests.telemetry.spans import span

THROWN = SpanEvent("exception", 0, {"exception.type": "Error", "exception.message": "no desks"})


@pytest.mark.parametrize(
    ("failed", "fault"),
    [
        (span("s"), None),
        (span("s", events=(SpanEvent("retry", 0),)), None),
        (span("s", error="no desks"), Fault("", "no desks")),
        (span("s", error=""), Fault("", "")),
        (span("s", events=(THROWN,)), Fault("Error", "no desks")),
        (span("s", events=(THROWN,), error="status"), Fault("Error", "no desks")),
        (span("s", attributes={"error.type": "timeout"}), Fault("timeout", "")),
        (span("s", attributes={"error.type": 17}, error="late"), Fault("", "late")),
    ],
)
def test_a_fault_is_told_by_exception_status_or_type(failed: Span, fault: Fault | None) -> None:
    assert fault_of(failed) == fault


def test_a_fault_is_a_result_and_a_text() -> None:
    assert Fault("Error", "no desks").result == {"error": {"type": "Error", "message": "no desks"}}
    assert Fault("", "no desks").result == {"error": "no desks"}
    assert (Fault("Error", "no desks").text, Fault("Error", "").text) == ("no desks", "Error")

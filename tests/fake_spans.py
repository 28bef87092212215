"""A format and a dialect without conventions: a record lists spans, a trace says their texts."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from live_scoring.core.decoding import refuse
from live_scoring.core.run import AgentRun, Message
from live_scoring.core.score import Failure, Source
from live_scoring.formats import FORMATS, Format
from live_scoring.gathering import Reading
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import Span
from tests.telemetry.spans import span


def piece(
    trace_id: str, span_id: str, parent_id: str | None = "root", **attributes: Any
) -> dict[str, Any]:
    """A span that tells of an agent if it has a text; `end_ns` None is one that has not ended."""
    own: dict[str, Any] = {
        key: attributes.pop(key) for key in ("end_ns", "is_log") if key in attributes
    }
    return {
        "span_id": span_id,
        "parent_id": parent_id,
        "trace_id": trace_id,
        "attributes": attributes,
        **own,
    }


def root(trace_id: str, **attributes: Any) -> dict[str, Any]:
    """A span without a parent."""
    return piece(trace_id, "root", None, **attributes)


def payload_of(*pieces: dict[str, Any]) -> bytes:
    """What a record of spans holds."""
    return json.dumps({"spans": pieces}).encode()


def envelope_at(offset: int, timestamp_ms: int, partition: int = 0) -> Envelope:
    """Of a record of the topic `spans`."""
    return Envelope(Source("spans", partition, offset, timestamp_ms))


def _recognises(value: object) -> bool:
    return isinstance(value, dict) and "spans" in value


def _decode(value: Any, _envelope: Envelope) -> tuple[Span, ...]:
    return tuple(span(**told) for told in value["spans"])


def _is_telling(found: Span) -> bool:
    return "text" in found.attributes


def _read_trace(spans: Sequence[Span]) -> Sequence[AgentRun] | Failure:
    telling = sorted(filter(_is_telling, spans), key=lambda told: told.span_id)
    if any("is_bad" in told.attributes for told in telling):
        return refuse("no_content", "content is off")
    return _runs(telling[0].trace_id, (told.attributes["text"] for told in telling))


def _runs(trace_id: str, texts: Iterable[str]) -> Sequence[AgentRun]:
    said = Message(role="assistant", text=" ".join(texts))
    if not said.text:
        return ()
    return (AgentRun(run_id=trace_id, agent_id="agent-1", output=(said,), trace_id=trace_id),)


READING = Reading(
    formats={"pieces": Format(_recognises, _decode), **FORMATS},
    is_telling=_is_telling,
    read_trace=_read_trace,
)

"""Mastra's exported spans, as its exporters are given them (`@mastra/observability` 1.17).

A span alone, an event `{"type": "span_ended", "exportedSpan": {…}}`, or a list of either; the list
may lie under `spans`. What the spans mean is left to the dialect.
"""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from live_scoring.core.run import Moment
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import MASTRA, Span, to_ns

_KEYS = {"traceId", "type", "startTime"}

_Id = Annotated[str, Field(min_length=1)]


class _Error(BaseModel):
    message: str | None = None


class _Exported(BaseModel):
    model_config = ConfigDict(frozen=True, loc_by_alias=False)

    id: _Id
    trace_id: _Id = Field(alias="traceId")
    parent_id: str | None = Field(None, alias="parentSpanId")
    name: str = ""
    start_time: Moment = Field(alias="startTime")
    end_time: Moment | None = Field(None, alias="endTime")
    is_event: bool | None = Field(None, alias="isEvent")
    error: _Error | None = Field(None, alias="errorInfo")

    def span(self, told: dict[str, Any]) -> Span:
        end_time = self.start_time if self.is_event else self.end_time
        return Span(
            self.trace_id,
            self.id,
            self.parent_id,
            self.name,
            to_ns(self.start_time),
            None if end_time is None else to_ns(end_time),
            attributes=told,
            error=(self.error.message or "") if self.error else None,
            scope=MASTRA,
        )


_SPANS = TypeAdapter(tuple[_Exported, ...])


def recognises(value: Any) -> bool:
    """Whether the value is a span, an event of one, or a list of them."""
    items = _items_of(value)
    return bool(items) and isinstance(items[0], dict) and items[0].keys() >= _KEYS


def decode(value: Any, _envelope: Envelope) -> tuple[Span, ...]:
    """Read each span once: as it ended, else as it was told last.

    Raises:
        ValidationError: A field is missing or bad.
    """
    items = _items_of(value)
    spans = (
        exported.span(item)
        for exported, item in zip(_SPANS.validate_python(items), items, strict=True)
    )
    return tuple(_last_told(spans).values())


def _items_of(value: Any) -> list[Any]:
    if isinstance(value, dict) and isinstance(value.get("spans"), list):
        value = value["spans"]
    items = value if isinstance(value, list) else [value]
    return [item.get("exportedSpan", item) if isinstance(item, dict) else item for item in items]


def _last_told(spans: Iterable[Span]) -> dict[tuple[str, str], Span]:
    told: dict[tuple[str, str], Span] = {}
    for span in spans:
        key = span.trace_id, span.span_id
        if key not in told or span.end_ns is not None or told[key].end_ns is None:
            told[key] = span
    return told

"""Items that the OpenAI Agents SDK exports for its traces (`openai-agents` 0.24).

`{"object": "trace", …}` and `{"object": "trace.span", …}`, alone, in a list, or as
`{"data": [...]}`. What the spans mean is left to the dialect.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from live_scoring.core.run import Moment
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import OPENAI_AGENTS, Span, to_ns

_TRACE, _SPAN = "trace", "trace.span"

_Id = Annotated[str, Field(min_length=1)]


class _Item(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: _Id


class _Trace(_Item):
    object: Literal["trace"]
    workflow_name: str = ""

    def span(self, told: dict[str, Any]) -> Span:
        """Tell of the trace as of an event in it, since it has no times of its own."""
        return Span(
            self.id,
            f"{self.id}:trace",
            None,
            self.workflow_name,
            0,
            0,
            attributes=told,
            scope=OPENAI_AGENTS,
            is_log=True,
        )


class _Error(BaseModel):
    message: str | None = None


class _Exported(_Item):
    object: Literal["trace.span"]
    trace_id: _Id
    parent_id: str | None = None
    started_at: Moment
    ended_at: Moment | None = None
    span_data: dict[str, Any]
    error: _Error | None = None

    def span(self, told: dict[str, Any]) -> Span:
        return Span(
            self.trace_id,
            self.id,
            self.parent_id,
            str(self.span_data.get("name") or ""),
            to_ns(self.started_at),
            None if self.ended_at is None else to_ns(self.ended_at),
            attributes=told,
            error=(self.error.message or "") if self.error else None,
            scope=OPENAI_AGENTS,
        )


_ITEMS = TypeAdapter(tuple[Annotated[_Trace | _Exported, Field(discriminator="object")], ...])


def recognises(value: Any) -> bool:
    """Whether the value is an exported item or a list of them."""
    items = _items_of(value)
    return bool(items) and isinstance(items[0], dict) and items[0].get("object") in (_TRACE, _SPAN)


def decode(value: Any, _envelope: Envelope) -> tuple[Span, ...]:
    """Read the spans, and the traces as events of their own.

    Raises:
        ValidationError: A field is missing or bad.
    """
    items = _items_of(value)
    read = _ITEMS.validate_python(items)
    return tuple(item.span(told) for item, told in zip(read, items, strict=True))


def _items_of(value: Any) -> list[Any]:
    if isinstance(value, dict) and isinstance(value.get("data"), list):
        value = value["data"]
    return value if isinstance(value, list) else [value]

"""One trace being put together: its spans, each once, and the records that brought them."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import Span

Closing = Literal["root", "idle", "too_old", "too_large", "evicted", "end"]
"""Why a trace was closed: its root had ended; nothing came; for its age; for its size; to make
room for others; because there will be no more records."""

_NOTHING: MappingProxyType[str, Any] = MappingProxyType({})


@dataclass(slots=True, eq=False)
class Parcel:
    """A record that brought spans; its traces share it."""

    payload: bytes
    envelope: Envelope
    format_name: str
    is_told: bool = False
    """Whether what begins in it was told before."""
    is_buried: bool = False
    """Whether a trace of it was found to be unreadable, so that its bytes were given out."""
    holders: int = 0
    """Open traces that may yet give its bytes out."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A span as it came."""

    span: Span
    is_telling: bool
    """Whether any dialect has a use for it beyond its place in the trace."""


class Trace:
    """One trace. A span is known by its id; of two tellings the one that says more counts."""

    __slots__ = (
        "_roots",
        "_running",
        "_spans",
        "first",
        "is_told",
        "last",
        "opened_ms",
        "outline_size",
        "parcels",
        "size",
    )

    def __init__(self, parcel: Parcel, opened_ms: int) -> None:
        """Open it with a record; its pieces are still to be added.

        Args:
            parcel: The record.
            opened_ms: The partition's time, in milliseconds since the epoch.
        """
        self.opened_ms = opened_ms
        self.first = parcel.envelope.source
        self.is_told = parcel.is_told
        """Whether what begins in its first record was told before."""
        self.last = self.first
        """The record that brought news last."""
        self.parcels: list[Parcel] = []
        """Those that brought a telling span."""
        self.size = 0
        """Bytes of the records, shared out among their spans."""
        self.outline_size = 0
        """Of these the bytes of spans of which only the place is kept."""
        self._spans: dict[str, Span] = {}
        self._roots = 0
        self._running = 0
        """Roots that have not ended."""

    @property
    def spans(self) -> Sequence[Span]:
        """All that is known, in order of arrival."""
        return tuple(self._spans.values())

    @property
    def span_count(self) -> int:
        """How many spans are known."""
        return len(self._spans)

    @property
    def is_telling(self) -> bool:
        """Whether it may hold a run."""
        return bool(self.parcels)

    @property
    def has_ended(self) -> bool:
        """Whether its root is here and has ended; where it has several, all of them."""
        return self._roots > 0 and self._running == 0

    def add(self, piece: Piece, parcel: Parcel, size: int) -> bool:
        """Take in a piece; whether it was news."""
        span = piece.span if piece.is_telling else _place_of(piece.span)
        known = self._spans.get(span.span_id)
        if known is not None and _weight(known) >= _weight(span):
            return False
        self._spans[span.span_id] = span
        self.last = parcel.envelope.source
        self.size += size
        if not piece.is_telling:
            self.outline_size += size
        elif not self.parcels or self.parcels[-1] is not parcel:
            self.parcels.append(parcel)
            parcel.holders += 1
        self._count_root(known, -1)
        self._count_root(span, 1)
        return True

    def _count_root(self, span: Span | None, n: int) -> None:
        if span is not None and _is_root(span):
            self._roots += n
            self._running += n if span.end_ns is None else 0


@dataclass(frozen=True, slots=True)
class ClosedTrace:
    """A trace to which nothing will be added."""

    trace_id: str
    trace: Trace
    closing: Closing


def _is_root(span: Span) -> bool:
    """A log record is one where it is a trace of its own."""
    return span.parent_id is None and (not span.is_log or span.span_id == span.trace_id)


def _weight(span: Span) -> tuple[bool, int]:
    """What an unended span says is less than what it says when it has ended."""
    return span.end_ns is not None, len(span.attributes)


def _place_of(span: Span) -> Span:
    """A span that no dialect has a use for, without all that takes memory."""
    return Span(
        span.trace_id,
        span.span_id,
        span.parent_id,
        "",
        span.start_ns,
        span.end_ns,
        attributes=_NOTHING,
        resource=_NOTHING,
        is_log=span.is_log,
    )

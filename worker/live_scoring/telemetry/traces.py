"""The traces of one partition, put together in the order of its records.

Time is the records' own: the highest timestamp that was seen. What becomes of a trace is thereby
decided by the records alone, and comes out the same when they are read again.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from live_scoring.telemetry.trace import ClosedTrace, Closing, Parcel, Piece, Trace


@dataclass(frozen=True, slots=True)
class Bounds:
    """When traces are closed; times in milliseconds."""

    grace_ms: int = 10_000
    """After the root's end was read."""
    idle_ms: int = 120_000
    """After the last news of a trace whose root never came."""
    max_age_ms: int = 600_000
    """After the trace's first record; as long is a closed one remembered, from the last time that
    a telling span of it came."""
    max_open: int = 50_000
    """Traces; beyond it the oldest is closed."""
    max_open_bytes: int = 256 * 2**20
    """Of the records of all open traces; beyond it the oldest is closed."""
    max_remembered: int = 500_000
    """Traces of a partition, closed ones too; beyond it those silent longest are forgotten."""
    max_spans: int = 10_000
    """Of one trace."""
    max_bytes: int = 16 * 2**20
    """Of one trace."""


class Traces:
    """Open traces, and those that were closed lately, so that late spans can be told."""

    def __init__(self, bounds: Bounds) -> None:
        """Begin with none."""
        self.late = 0
        """Spans that came after their trace was closed."""
        self.size = 0
        """Bytes of the records that open traces hold."""
        self._bounds = bounds
        self._now_ms = 0
        # Plain dictionaries look through all that was taken from their front for the next one.
        self._open: OrderedDict[str, Trace] = OrderedDict()
        """Oldest first."""
        self._news_ms: OrderedDict[str, int] = OrderedDict()
        """When there last was news of an open trace, longest ago first."""
        self._ended_ms: OrderedDict[str, int] = OrderedDict()
        """When an open trace's root was found to have ended, longest ago first."""
        self._telling_ms: OrderedDict[str, int] = OrderedDict()
        """When a telling span last came, of open and closed traces, longest ago first."""

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    def __contains__(self, trace_id: str) -> bool:
        """Whether a trace is open."""
        return trace_id in self._open

    @property
    def oldest(self) -> Trace | None:
        """The trace that was opened first."""
        return next(iter(self._open.values()), None)

    @property
    def first_offset(self) -> int | None:
        """The lowest offset that a trace rests on which is still to be told."""
        untold = (trace.first.offset for trace in self._open.values() if not trace.is_told)
        return next(untold, None)

    def is_due(self, waited_ms: int) -> bool:
        """Whether `close_due` would close anything."""
        bounds, now_ms = self._bounds, self._now_ms + waited_ms
        return (
            _first(self._ended_ms, now_ms - bounds.grace_ms) is not None
            or _first(self._news_ms, now_ms - bounds.idle_ms) is not None
            or self._is_too_old(now_ms)
        )

    def advance(self, timestamp_ms: int) -> list[ClosedTrace]:
        """Move time on, never back, and close what is due.

        Args:
            timestamp_ms: Of the next record, before any of its spans is added.
        """
        self._now_ms = max(self._now_ms, timestamp_ms)
        return self.close_due()

    def close_due(self, waited_ms: int = 0) -> list[ClosedTrace]:
        """Close what is due once so much more time has passed without a record."""
        bounds, now_ms = self._bounds, self._now_ms + waited_ms
        closed = [self._close(t, "root") for t in _due(self._ended_ms, now_ms - bounds.grace_ms)]
        closed += [self._close(t, "idle") for t in _due(self._news_ms, now_ms - bounds.idle_ms)]
        while self._is_too_old(now_ms):
            closed.append(self._close(next(iter(self._open)), "too_old"))
        return closed

    def add(self, parcel: Parcel, pieces: Sequence[Piece]) -> list[ClosedTrace]:
        """Take in a record's spans; closes the traces that have grown too large."""
        self._forget()
        closed: list[ClosedTrace] = []
        self.size += len(parcel.payload)
        parcel.holders += 1
        size = len(parcel.payload) // max(len(pieces), 1)
        for piece in pieces:
            trace_id = piece.span.trace_id
            is_late = trace_id not in self._open and trace_id in self._telling_ms
            if piece.is_telling:
                _put_last(self._telling_ms, trace_id, self._now_ms)
            if is_late:
                self.late += 1
            elif self._add_to(trace_id, piece, parcel, size):
                closed.append(self._close(trace_id, "too_large"))
        self._let_go(parcel)
        return closed

    def _forget(self) -> None:
        """Forget closed traces of long ago, or more of them where time stands still."""
        told, bounds = self._telling_ms, self._bounds
        for trace_id in _due(told, self._now_ms - bounds.max_age_ms):
            del told[trace_id]
        while len(told) > bounds.max_remembered:
            del told[next(iter(told))]

    def _let_go(self, parcel: Parcel) -> None:
        parcel.holders -= 1
        if not parcel.holders:
            self.size -= len(parcel.payload)

    def evict(self) -> ClosedTrace:
        """Close the oldest trace, which there must be, to make room."""
        return self._close(next(iter(self._open)), "evicted")

    def flush(self) -> list[ClosedTrace]:
        """Close all, because there will be no more records."""
        return [
            self._close(trace_id, "root" if trace.has_ended else "end")
            for trace_id, trace in list(self._open.items())
        ]

    def _close(self, trace_id: str, closing: Closing) -> ClosedTrace:
        self._news_ms.pop(trace_id)
        self._ended_ms.pop(trace_id, None)
        trace = self._open.pop(trace_id)
        self.size -= trace.outline_size
        for parcel in trace.parcels:
            self._let_go(parcel)
        return ClosedTrace(trace_id, trace, closing)

    def _is_too_old(self, now_ms: int) -> bool:
        oldest = self.oldest
        return oldest is not None and oldest.opened_ms <= now_ms - self._bounds.max_age_ms

    def _add_to(self, trace_id: str, piece: Piece, parcel: Parcel, size: int) -> bool:
        """Add to an open trace, or open it; whether it is too large now."""
        trace = self._open.get(trace_id)
        if trace is None:
            trace = self._open[trace_id] = Trace(parcel, self._now_ms)
        if trace.add(piece, parcel, size):
            self.size += 0 if piece.is_telling else size
            _put_last(self._news_ms, trace_id, self._now_ms)
            if not trace.has_ended:
                self._ended_ms.pop(trace_id, None)
            elif trace_id not in self._ended_ms:
                self._ended_ms[trace_id] = self._now_ms
        return trace.span_count > self._bounds.max_spans or trace.size > self._bounds.max_bytes


def make_room(partitions: Collection[Traces], bounds: Bounds) -> Iterator[ClosedTrace]:
    """Close the oldest open trace of all partitions until they are within bounds together."""
    while (
        sum(map(len, partitions)) > bounds.max_open
        or sum(traces.size for traces in partitions) > bounds.max_open_bytes
    ):
        oldest = [(t.opened_ms, traces) for traces in partitions if (t := traces.oldest)]
        yield min(oldest, key=lambda both: both[0])[1].evict()


def _first(times: dict[str, int], until_ms: int) -> str | None:
    """The first key, if its time has come."""
    first = next(iter(times), None)
    return first if first is not None and times[first] <= until_ms else None


def _due(times: dict[str, int], until_ms: int) -> Iterator[str]:
    """All keys whose time has come; each is to be taken out before the next is asked for."""
    while (first := _first(times, until_ms)) is not None:
        yield first


def _put_last(times: OrderedDict[str, int], key: str, now_ms: int) -> None:
    times[key] = now_ms
    times.move_to_end(key)

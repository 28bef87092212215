"""From records to runs: whole ones at once, those that come in pieces once their trace is closed.

The live worker, replay and the offline commands gather by this; where records come from and what
time it is are theirs to know.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure, Source, one_line
from live_scoring.dialects import is_telling, read_trace
from live_scoring.formats import DEFAULT_LIMITS, FORMATS, Decoded, Format, Limits, Pieces, decode
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import Span
from live_scoring.telemetry.split import Split
from live_scoring.telemetry.trace import ClosedTrace, Closing, Parcel, Piece, Trace
from live_scoring.telemetry.traces import Bounds, Traces, make_room

Incomplete = Literal["idle", "too_old", "too_large", "evicted"]
"""Why a trace is closed before its root has ended, as long as records come."""
Place = tuple[str, int]
"""A partition of a topic."""


class GatheredRun(NamedTuple):
    """A run that is whole."""

    run: AgentRun
    source: Source
    """The record that made it whole."""
    format_name: str
    first_offset: int
    """Of the first record that it rests on."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that cannot be read (stage `decode`), or a trace (stage `assemble`)."""

    failure: Failure
    source: Source
    """The record, or the one that brought the trace's last news."""
    records: tuple[tuple[bytes | None, Envelope], ...]
    """The record, or those that told of the trace, each given out once however many of its
    traces cannot be read."""


@dataclass(frozen=True, slots=True)
class LookBack:
    """The first spans of a partition, which were not taken.

    All records of the partition since some time are to be taken first, and then this one again.
    Nothing is found in them, nor in traces that began in them: they tell those from new ones.
    """

    since_ms: int
    """Milliseconds since the epoch."""


Found = GatheredRun | Unreadable


@dataclass(frozen=True, slots=True)
class LongTrace:
    """A closed trace that takes long to read, told only to those who want to read it aside.

    Meanwhile nothing else may be asked of the gatherer.
    """

    read: Callable[[], Sequence[Found]]
    """What is found in it; to be called once, on any thread, before the next find is taken."""


Find = Found | LookBack | LongTrace


@dataclass(frozen=True, slots=True)
class Reading:
    """What records and traces are read by."""

    limits: Limits = DEFAULT_LIMITS
    formats: Mapping[str, Format] = field(default_factory=lambda: FORMATS)
    is_telling: Callable[[Span], bool] = is_telling
    read_trace: Callable[[Sequence[Span]], Sequence[AgentRun] | Failure] = read_trace


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of traces since the start."""

    open: int
    """Traces that are open now."""
    no_agent: int
    """Traces that held no run, and log records of which none can be made."""
    incomplete: Mapping[Closing, int]
    """Runs of traces that were closed otherwise than by their root's end."""
    late: int
    """Spans that came after their trace was closed."""
    split: int
    """Times that an open trace came up in another partition of its topic."""


_LONG_SPANS, _LONG_BYTES = 300, 256 * 1024

_USUAL_READING, _USUAL_BOUNDS = Reading(), Bounds()


class Gatherer:
    """Gathers the runs of any number of partitions, each in the order of its records."""

    def __init__(
        self,
        reading: Reading = _USUAL_READING,
        bounds: Bounds = _USUAL_BOUNDS,
        *,
        looks_back: bool = False,
        reads_aside: bool = False,
    ) -> None:
        """Begin with no open trace.

        Args:
            reading: What records and traces are read by.
            bounds: When traces are closed.
            looks_back: Whether to ask for a look back at the first spans of a partition.
            reads_aside: Whether to leave it to others when a `LongTrace` is read.
        """
        self._reading = reading
        self._bounds = bounds
        self._looks_back = looks_back
        self._reads_aside = reads_aside
        self._traces: dict[Place, Traces] = {}
        """Of partitions in which spans were found."""
        self._told_before: dict[Place, int] = {}
        """By partition that is looked back on the offset up to which all was told."""
        self._split = Split()
        self._no_agent = 0
        self._incomplete: Counter[Closing] = Counter()
        self._late = 0
        """Of partitions that were dropped."""

    def take(
        self,
        payload: bytes | None,
        envelope: Envelope,
        format_name: str | None = None,
        latest_ms: int = sys.maxsize,
    ) -> Iterable[Find]:
        """Read the partition's next record; what is whole or known to be unreadable now.

        Traces that it closes are read while what is found is looked through, since one record may
        close thousands.

        Args:
            payload: The record's value.
            envelope: Its source, key and headers.
            format_name: What it is said to be; None looks at it.
            latest_ms: A timestamp beyond this is not believed and moves no time, in milliseconds
                since the epoch.
        """
        reading, source = self._reading, envelope.source
        read = decode(payload, format_name, reading.limits, envelope, reading.formats)
        traces = self._traces.get((source.topic, source.partition)) if self._traces else None
        if traces is None:
            if not isinstance(read, Pieces):
                return (_found(read, payload, envelope),)
            traces = self._begin(source)
            if self._looks_back:
                return (LookBack(min(source.timestamp_ms, latest_ms) - self._bounds.max_age_ms),)
        closed = traces.advance(source.timestamp_ms) if source.timestamp_ms <= latest_ms else []
        is_told = self._is_told(source)
        if isinstance(read, Pieces):
            parcel = Parcel(payload or b"", envelope, read.format_name, is_told)
            return self._read_all([*closed, *self._add(traces, parcel, read)])
        found = () if is_told else (_found(read, payload, envelope),)
        return chain(self._read_all(closed), found)

    def due(self, waited_ms: Mapping[Place, int]) -> Sequence[Place]:
        """The partitions where traces would close, by the time since their last records."""
        traces = self._traces
        return [at for at, ms in waited_ms.items() if at in traces and traces[at].is_due(ms)]

    def close_due(self, place: Place, waited_ms: int) -> Iterable[Found | LongTrace]:
        """What closes in a partition if so much time has passed since its last record."""
        return self._read_all(self._traces[place].close_due(waited_ms))

    def flush(self) -> Iterable[Found | LongTrace]:
        """Close every trace, because there will be no more records."""
        closed = [one for traces in self._traces.values() for one in traces.flush()]
        return self._read_all(closed)

    def keep(self, places: Iterable[Place]) -> None:
        """Drop all other partitions, with what is open in them."""
        for place in self._traces.keys() - set(places):
            self._told_before.pop(place, None)
            traces = self._traces.pop(place)
            self._late += traces.late
            for closed in traces.flush():
                self._split.close(closed.trace_id, closed.trace.first)

    def held(self) -> Mapping[Place, int]:
        """For each partition with open traces the first offset that one of them rests on."""
        firsts = {place: traces.first_offset for place, traces in self._traces.items()}
        return {place: first for place, first in firsts.items() if first is not None}

    def counts(self) -> Counts:
        """What became of traces since the start."""
        return Counts(
            open=sum(map(len, self._traces.values())),
            no_agent=self._no_agent,
            incomplete=self._incomplete,
            late=self._late + sum(traces.late for traces in self._traces.values()),
            split=self._split.count,
        )

    def _begin(self, source: Source) -> Traces:
        place = source.topic, source.partition
        if self._looks_back:
            self._told_before[place] = source.offset
        traces = self._traces[place] = Traces(self._bounds)
        return traces

    def _is_told(self, source: Source) -> bool:
        """Whether a record was read before, and what begins in it told."""
        place = source.topic, source.partition
        if source.offset < self._told_before.get(place, 0):
            return True
        self._told_before.pop(place, None)
        return False

    def _add(self, traces: Traces, parcel: Parcel, read: Pieces) -> list[ClosedTrace]:
        come = [Piece(span, self._reading.is_telling(span)) for span in read.spans]
        # Nothing stands under a log record, so that its place tells nothing either.
        pieces = [piece for piece in come if piece.is_telling or not piece.span.is_log]
        self._no_agent += len(come) - len(pieces)
        new = {p.span.trace_id: None for p in pieces if p.span.trace_id not in traces}
        closed = traces.add(parcel, pieces)
        for trace_id in new:
            if trace_id in traces:
                self._split.open(trace_id, parcel.envelope.source)
        closed += make_room(self._traces.values(), self._bounds)
        return closed

    def _read_all(self, closed: Iterable[ClosedTrace]) -> Iterator[Found | LongTrace]:
        for one in closed:
            if self._reads_aside and _is_long(one.trace):
                yield LongTrace(partial(self._read_whole, one))
            else:
                yield from self._read(one)

    def _read_whole(self, closed: ClosedTrace) -> Sequence[Found]:
        return tuple(self._read(closed))

    def _read(self, closed: ClosedTrace) -> Iterator[Found]:
        trace = closed.trace
        self._split.close(closed.trace_id, trace.first)
        if trace.is_told:
            return
        runs = self._reading.read_trace(trace.spans) if trace.is_telling else ()
        if isinstance(runs, Failure):
            yield _unreadable(closed, runs)
            return
        self._no_agent += not runs
        if closed.closing != "root":
            self._incomplete[closed.closing] += len(runs)
        for run in runs:
            format_name = trace.parcels[0].format_name
            yield GatheredRun(run, trace.last, format_name, trace.first.offset)


def _is_long(trace: Trace) -> bool:
    """Whether it takes some 10 ms to read."""
    return trace.span_count > _LONG_SPANS or trace.size > _LONG_BYTES


def _found(read: Decoded | Failure, payload: bytes | None, envelope: Envelope) -> Found:
    source = envelope.source
    if isinstance(read, Failure):
        return Unreadable(read, source, ((payload, envelope),))
    return GatheredRun(read.run, source, read.format_name, source.offset)


def _unreadable(closed: ClosedTrace, failure: Failure) -> Unreadable:
    parcels = [parcel for parcel in closed.trace.parcels if not parcel.is_buried]
    for parcel in parcels:
        parcel.is_buried = True
    detail = one_line(f"trace {closed.trace_id}: {failure.detail}")
    records = tuple((parcel.payload, parcel.envelope) for parcel in parcels)
    told = Failure("assemble", failure.reason, detail)
    return Unreadable(told, closed.trace.last, records)

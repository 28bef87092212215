"""Records in, runs out, and beside each run what was not understood."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from live_scoring.config import WorkerConfig
from live_scoring.core.decoding import parse_json
from live_scoring.core.quote import printable
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.dialects import read_trace
from live_scoring.formats import Decoded, Pieces, decode, looks_like
from live_scoring.formats.mapped import unmet_places
from live_scoring.inspection.doubts import doubts_about_run, doubts_about_trace
from live_scoring.inspection.record import Record
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.trace import ClosedTrace, Parcel, Piece
from live_scoring.telemetry.traces import Traces, make_room
from live_scoring.wiring import build_bounds, build_reading

_UNNAMED = "?"
"""Stands in for an agent that nothing names, so that the rest of the run can be shown."""


@dataclass(frozen=True, slots=True)
class Inspected:
    """What became of a record, or of a trace that lies in several."""

    place: str
    format_name: str | None
    """None where the record was refused before a format was known."""
    is_named: bool | None
    """Whether the format was named, not seen by looking; None of a trace."""
    run: AgentRun | None
    """None where there is none."""
    has_agent: bool = True
    """Whether anything names the run's agent; if not, `agent_id` is a stand-in."""
    failure: Failure | None = None
    """Why there is no run."""
    not_understood: tuple[str, ...] = ()


class Inspector:
    """Looks at records one by one; traces are put together as the worker does."""

    def __init__(self, worker: WorkerConfig) -> None:
        """Begin without an open trace."""
        self.records = 0
        """Looked at so far."""
        self._reading = build_reading(worker)
        self._bounds = build_bounds(worker)
        self._mappings = worker.mappings
        self._traces: dict[tuple[str, int], Traces] = {}

    @property
    def late(self) -> int:
        """Spans that came after their trace had been closed, and were dropped."""
        return sum(traces.late for traces in self._traces.values())

    def look_at(self, records: Iterable[Record]) -> Iterator[Inspected]:
        """Look at all records there are; traces that are open at the end come last."""
        for record in records:
            yield from self.take(record)
        yield from self.flush()

    def take(self, record: Record) -> Iterator[Inspected]:
        """Look at a record; what is whole now, or cannot be read."""
        self.records += 1
        read = self._decode(record)
        match read:
            case Pieces():
                yield from self._add(record, read)
            case Decoded():
                yield self._told(record, read)
            case Failure():
                yield self._refused(record, read)

    def flush(self) -> Iterator[Inspected]:
        """What is still open, as there will be no more records."""
        for traces in self._traces.values():
            yield from self._close(traces.flush())

    def _decode(self, record: Record, agent_id: str | None = None) -> Decoded | Pieces | Failure:
        reading, envelope = self._reading, record.envelope
        if agent_id is not None:
            envelope = Envelope(envelope.source, envelope.key, envelope.headers, agent_id)
        return decode(record.payload, record.format_name, reading.limits, envelope, reading.formats)

    def _told(self, record: Record, decoded: Decoded) -> Inspected:
        doubts = (*self._unmet(record, decoded.format_name), *doubts_about_run(decoded.run))
        is_named = record.format_name is not None
        return Inspected(
            record.place, decoded.format_name, is_named, decoded.run, not_understood=doubts
        )

    def _unmet(self, record: Record, format_name: str) -> Iterable[str]:
        mapping = self._mappings.get(format_name)
        if mapping is None:
            return ()
        return unmet_places(mapping, parse_json(record.payload or b""), record.envelope)

    def _refused(self, record: Record, failure: Failure) -> Inspected:
        reason = f"{failure.reason}: {printable(failure.detail)}"
        if failure.reason == "missing_field" and failure.detail.startswith("agent_id"):
            read = self._decode(record, _UNNAMED)
            if isinstance(read, Decoded):
                told = self._told(record, read)
                doubts = (printable(failure.detail), *told.not_understood)
                return replace(told, has_agent=False, not_understood=doubts)
        seen = record.format_name or looks_like(record.payload or b"", self._reading.formats)
        is_named = record.format_name is not None
        return Inspected(
            record.place, seen, is_named, None, failure=failure, not_understood=(reason,)
        )

    def _add(self, record: Record, read: Pieces) -> Iterator[Inspected]:
        source = record.envelope.source
        place = source.topic, source.partition
        if place not in self._traces:
            self._traces[place] = Traces(self._bounds)
        traces = self._traces[place]
        yield from self._close(traces.advance(source.timestamp_ms))
        # All are kept whole, or there would be no telling which of them nothing reads.
        pieces = [Piece(span, is_telling=True) for span in read.spans]
        parcel = Parcel(record.payload or b"", record.envelope, read.format_name)
        yield from self._close(traces.add(parcel, pieces))
        yield from self._close(make_room(self._traces.values(), self._bounds))

    def _close(self, closed: Iterable[ClosedTrace]) -> Iterator[Inspected]:
        for one in closed:
            yield from self._read(one)

    def _read(self, closed: ClosedTrace) -> Iterator[Inspected]:
        spans = closed.trace.spans
        runs = read_trace(spans)
        doubts = (*self._split(closed), *_cut(closed), *doubts_about_trace(spans))
        trace = Inspected(
            place=f"trace {printable(closed.trace_id)}",
            format_name=closed.trace.parcels[0].format_name,
            is_named=None,
            run=None,
        )
        if isinstance(runs, Failure):
            reason = f"{runs.reason}: {printable(runs.detail)}"
            yield replace(trace, failure=runs, not_understood=(reason, *doubts))
        elif not runs:
            reason = f"none of {len(spans)} spans and log records tells of a run"
            yield replace(trace, not_understood=(reason, *doubts))
        else:
            for run in runs:
                yield replace(trace, run=run, not_understood=(*doubts, *doubts_about_run(run)))

    def _split(self, closed: ClosedTrace) -> Iterator[str]:
        here = closed.trace.first.partition
        for (_, partition), traces in self._traces.items():
            if closed.trace_id in traces and partition != here:
                yield (
                    f"trace: lies in partitions {here} and {partition}, where no worker joins it; "
                    "key records by trace id"
                )


def _cut(closed: ClosedTrace) -> Iterator[str]:
    if closed.closing in ("evicted", "too_large"):
        yield f"trace: was closed before its end ({closed.closing}); see assembly in worker.yaml"

"""From records to runs."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure, Source
from live_scoring.formats import FORMATS, Limits, decode_run
from live_scoring.formats.header import named_format


class Record(NamedTuple):
    """One record of the past: of a topic, or a line of a file."""

    topic: str
    """Of a line: the name of its file."""
    partition: int
    offset: int
    """Of a line: its number."""
    timestamp_ms: int | None
    """Milliseconds since the epoch; None for a line, which has none."""
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()

    @property
    def place(self) -> str:
        """Where it lies, in messages."""
        if self.timestamp_ms is None:
            return f"{self.topic}: line {self.offset}"
        return f"{self.topic}/{self.partition}: offset {self.offset}"


class Gathered(NamedTuple):
    """A run and the record that it came with."""

    run: AgentRun
    source: Source


class Gathering:
    """Reads the runs that records hold."""

    def __init__(self, limits: Limits, formats: Mapping[str, str], undated_ms: int) -> None:
        """Begin.

        Args:
            limits: What a record may be at most.
            formats: By topic the format of records whose headers name none.
            undated_ms: The time of runs that have none and lie in a file, in milliseconds since
                the epoch.
        """
        self._limits = limits
        self._formats = formats
        self._undated_ms = undated_ms

    def take(self, record: Record) -> Iterator[Gathered | Failure]:
        """The runs that are whole now that the record was read, or why it cannot be read."""
        format_name = named_format(record.headers, FORMATS) or self._formats.get(record.topic)
        decoded = decode_run(record.value, format_name, self._limits)
        if isinstance(decoded, Failure):
            yield decoded
        else:
            yield Gathered(decoded.run, self._source_of(record, decoded.run))

    def _source_of(self, record: Record, run: AgentRun) -> Source:
        timestamp_ms = record.timestamp_ms
        if timestamp_ms is None:
            timestamp_ms = self._undated_ms if run.end_ms is None else run.end_ms
        return Source(record.topic, record.partition, record.offset, timestamp_ms)

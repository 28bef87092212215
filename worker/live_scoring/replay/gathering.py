"""From records of the past to runs, gathered as the live worker gathers them."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from live_scoring.config import WorkerConfig
from live_scoring.core.pipeline import SKEW_LIMIT_MS
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure, Source
from live_scoring.formats.header import named_format
from live_scoring.gathering import Find, GatheredRun, Gatherer, Unreadable
from live_scoring.replay.marks import Marks
from live_scoring.telemetry.envelope import Envelope
from live_scoring.wiring import build_bounds, build_reading


class Record(NamedTuple):
    """One record of the past: of a topic, or a line of a file."""

    topic: str
    """Of a line: the name of its file."""
    partition: int
    offset: int
    """Of a line: its number; 0 is the whole file."""
    timestamp_ms: int | None
    """Milliseconds since the epoch; None for a line, which has none."""
    value: bytes | None
    key: bytes | None = None
    headers: tuple[tuple[str, bytes], ...] = ()
    is_again: bool = False
    """Whether an earlier run took it in: it only helps to know what was open then."""

    @property
    def place(self) -> str:
        """What it is one record of: a partition, or a file."""
        return self.topic if self.timestamp_ms is None else f"{self.topic}/{self.partition}"

    @property
    def where(self) -> str:
        """Where it lies, in messages."""
        if self.timestamp_ms is not None:
            return f"{self.place}: offset {self.offset}"
        return f"{self.place}: line {self.offset}" if self.offset else self.place


class Gathered(NamedTuple):
    """A run and the record that made it whole."""

    run: AgentRun
    source: Source


class Gathering:
    """Finds the runs in records, also those that come in pieces."""

    def __init__(
        self,
        config: WorkerConfig,
        formats: Mapping[str, str],
        undated_ms: int,
        now_ms: Callable[[], int] = lambda: sys.maxsize,
        again: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Begin with nothing open.

        Args:
            config: Says what records may be and when traces are closed.
            formats: By topic, or file, the format of records whose headers name none.
            undated_ms: The time of runs that have none and lie in a file, in milliseconds since
                the epoch.
            now_ms: The wall clock; a record from after it moves no time. Without one all are
                believed.
            again: What an earlier run of the same said.
        """
        self._reading, bounds = build_reading(config), build_bounds(config)
        self._gatherer = Gatherer(self._reading, bounds)
        self._topics = config.topics
        self._only_mapping = config.only_mapping
        self._formats = formats
        self._undated_ms = undated_ms
        self._now_ms = now_ms
        self._marks = Marks(bounds.max_age_ms, again)

    def take(self, record: Record) -> Iterator[Gathered | Failure]:
        """What is whole, or known to be unreadable, now that the record was read."""
        timestamp_ms = self._undated_ms if record.timestamp_ms is None else record.timestamp_ms
        source = Source(record.topic, record.partition, record.offset, timestamp_ms)
        envelope = Envelope(source, record.key, record.headers, self._agent_of(record))
        latest_ms = self._now_ms() + SKEW_LIMIT_MS
        named = self._format_of(record)
        finds = _told(self._gatherer.take(record.value, envelope, named, latest_ms))
        self._mark(record, min(timestamp_ms, latest_ms), finds)
        return self._found(finds, is_dated=record.timestamp_ms is not None)

    def flush(self, *, is_dated: bool) -> Iterator[Gathered | Failure]:
        """What becomes whole because there are no more records.

        Args:
            is_dated: Whether records have timestamps, as those of topics do.
        """
        return self._found(_told(self._gatherer.flush()), is_dated=is_dated)

    def again(self) -> Mapping[str, int]:
        """By place the offset to read again from, so that what is open now would be open again."""
        return self._marks.again()

    def _agent_of(self, record: Record) -> str | None:
        """Whose runs those of a record are that name no agent."""
        topics = self._topics
        return topics.only_agent if record.timestamp_ms is None else topics.agents.get(record.topic)

    def _format_of(self, record: Record) -> str | None:
        """What a record is said to be."""
        named = named_format(record.headers, self._reading.formats)
        otherwise = self._only_mapping if record.timestamp_ms is None else None
        return named or self._formats.get(record.topic, otherwise)

    def _mark(
        self, record: Record, timestamp_ms: int, finds: Sequence[GatheredRun | Unreadable]
    ) -> None:
        # A record that is a run, or none, is found itself; pieces are found later, if at all.
        is_in_pieces = not any(find.source.offset == record.offset for find in finds)
        self._marks.note(record.place, record.offset, timestamp_ms, is_in_pieces=is_in_pieces)

    @staticmethod
    def _found(
        finds: Iterable[GatheredRun | Unreadable], *, is_dated: bool
    ) -> Iterator[Gathered | Failure]:
        for find in finds:
            if isinstance(find, Unreadable):
                yield find.failure
            elif is_dated or find.run.end_ms is None:
                yield Gathered(find.run, find.source)
            else:
                yield Gathered(find.run, find.source._replace(timestamp_ms=find.run.end_ms))


def _told(finds: Iterable[Find]) -> list[GatheredRun | Unreadable]:
    """What was found; a gatherer that is asked for nothing else tells nothing else."""
    return [find for find in finds if isinstance(find, GatheredRun | Unreadable)]

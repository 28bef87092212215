"""What a replay reads: a bounded stretch of the past, whose end is fixed when it is opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from live_scoring.core.errors import LiveScoringError
from live_scoring.replay.gathering import Record


class HistoryError(LiveScoringError):
    """A past that cannot be read as asked."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a replay stands, by the place: `topic/partition`, or a file's name."""

    next: Mapping[str, int] = field(default_factory=dict)
    """Offset, or line, of the next record to read."""
    ends: Mapping[str, int] = field(default_factory=dict)
    """Offset, or line, after the last one."""
    again: Mapping[str, int] = field(default_factory=dict)
    """Where that is not the next one: from where to read again, because runs are in pieces."""

    def first(self, place: str, otherwise: int) -> int:
        """Where reading begins."""
        return self.again.get(place, self.next.get(place, otherwise))


class Polled(NamedTuple):
    """What a poll has given."""

    records: Sequence[Record]
    missing: int = 0
    """Offsets passed at which there is no record: compacted away, or marks of transactions."""


class History(Protocol):
    """Records to be read once, in the order of each place."""

    @property
    def title(self) -> str:
        """What is read, in messages."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What of the past is not as one might expect, each one line."""

    @property
    def left(self) -> int | None:
        """Records that are still to be read, at most; None if nobody can tell."""

    @property
    def bounds(self) -> Bounds:
        """Where reading stands after the last poll."""

    @property
    def is_read(self) -> bool:
        """Whether there is nothing left."""

    async def poll(self, max_records: int) -> Polled:
        """The next records; none if none come in a moment."""

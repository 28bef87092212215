"""What is not done yet with records that were taken in, and so how far offsets may be committed."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from live_scoring.adapters.kafka import TopicPartition
from live_scoring.core.score import Source

LIMIT = 10_000
"""Records that may wait."""
_NONE: Mapping[TopicPartition, int] = {}


@dataclass(slots=True)
class _Calls:
    """Calls under way about the runs that a record made whole."""

    first_offset: int
    """Of the records that these runs rest on."""
    count: int = 0


class Pending:
    """Per partition: how far records were taken in, and which of them have calls under way."""

    def __init__(self, limit: int = LIMIT) -> None:
        """Start without partitions; `limit` bounds the records that wait."""
        self._limit = limit
        self._taken: dict[TopicPartition, int] = {}
        self._committed: dict[TopicPartition, int] = {}
        self._resting: dict[TopicPartition, tuple[int, int]] = {}
        """Committed and taken offset of the partitions that were let go last."""
        self._calls: dict[TopicPartition, dict[int, _Calls]] = {}
        """By the record's offset."""

    def __len__(self) -> int:
        """How many records wait."""
        return sum(len(calls) for calls in self._calls.values())

    def has_room(self, records: int) -> bool:
        """Whether so many more may wait."""
        return len(self) + records <= self._limit

    def take(self, at: TopicPartition, next_offset: int) -> None:
        """Note that every record before an offset was taken in, its calls begun."""
        self._taken[at] = next_offset

    def begin(self, source: Source, first_offset: int) -> None:
        """Note one more call about a run, by its record and the first one that it rests on."""
        calls = self._calls.setdefault(_partition_of(source), {})
        waiting = calls.setdefault(source.offset, _Calls(first_offset))
        waiting.first_offset = min(waiting.first_offset, first_offset)
        waiting.count += 1

    def end(self, source: Source) -> bool:
        """Note that a call has ended; whether it was the record's last."""
        calls = self._calls[_partition_of(source)]
        waiting = calls[source.offset]
        waiting.count -= 1
        if waiting.count:
            return False
        del calls[source.offset]
        return True

    def due(self, held: Mapping[TopicPartition, int] = _NONE) -> Mapping[TopicPartition, int]:
        """For each partition the offset to commit, if it is not committed yet.

        Args:
            held: The first offsets of what else is not done.
        """
        offsets = dict(self._taken)
        for at, calls in self._calls.items():
            if calls:
                offsets[at] = min(waiting.first_offset for waiting in calls.values())
        for at, offset in held.items():
            offsets[at] = min(offset, offsets.get(at, offset))
        return {at: offset for at, offset in offsets.items() if offset != self._committed.get(at)}

    def commit(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Note that the group has taken offsets."""
        self._committed.update(offsets)

    def rest(
        self, partitions: Iterable[TopicPartition], unfinished: Collection[TopicPartition] = ()
    ) -> None:
        """Let partitions go; of calls whoever has them next asks again.

        Args:
            partitions: Those that are lost.
            unfinished: Those among them that cannot be resumed.
        """
        self._resting = {}
        for at in partitions:
            taken, committed = self._taken.pop(at, None), self._committed.pop(at, None)
            is_whole = not self._calls.pop(at, None) and at not in unfinished
            if is_whole and taken is not None and committed is not None:
                self._resting[at] = committed, taken

    def resume(self, at: TopicPartition, committed: int | None) -> int | None:
        """Where to go on in a partition that was let go last, if nobody has worked on it since.

        Args:
            at: The partition.
            committed: What the group has as its offset.

        Returns:
            The offset of the first record that was not taken in; None if another member has
            committed since, or calls were given up.
        """
        left, taken = self._resting.get(at, (None, 0))
        if committed is None or left != committed:
            return None
        self._taken[at], self._committed[at] = taken, committed
        return taken


def _partition_of(source: Source) -> TopicPartition:
    return TopicPartition(source.topic, source.partition)

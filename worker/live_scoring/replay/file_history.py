"""A file of runs as the past."""

from collections.abc import Iterator
from itertools import islice

from live_scoring.adapters.files import STDIN, Part, RunFile
from live_scoring.replay.gathering import Record
from live_scoring.replay.history import Bounds, HistoryError, Polled

_FIRST = 0


class FileHistory:
    """The records that a file has when it is opened."""

    def __init__(self, file: RunFile, limit: int, resumed: Bounds | None = None) -> None:
        """Count the records.

        Args:
            file: The file; its console must be no terminal, as the replay shows its own progress.
            limit: Bytes of a record at most.
            resumed: Where an earlier replay stopped.

        Raises:
            FileError: It cannot be read.
            HistoryError: It is shorter than it was when the earlier replay began.
        """
        self.title = file.name
        self._next = self._new_from = resumed.next[self.title] if resumed else _FIRST
        self._first = resumed.first(self.title, _FIRST) if resumed else _FIRST
        self.left: int | None = None
        self._end: int | None = None
        if file.path != STDIN:
            self.left, self._end = _measured(file, limit, self._first)
        if resumed:
            self._end = self._checked(resumed.ends[self.title])
        self._parts = self._remaining(file.records(limit))
        self.is_read = False

    def _checked(self, end: int) -> int:
        if self._end is None or self._end < end:
            raise HistoryError(
                f"{self.title}: has fewer lines than when the replay began; put it back, or remove "
                "the checkpoint to begin anew"
            )
        return end

    def _remaining(self, parts: Iterator[Part]) -> Iterator[Part]:
        for part in parts:
            if self._end is not None and part.number >= self._end:
                break
            if part.number >= self._first:
                yield part

    @property
    def notes(self) -> tuple[str, ...]:
        """That there is nothing in it, if so."""
        return (f"{self.title}: holds no run",) if self._end == _FIRST else ()

    @property
    def bounds(self) -> Bounds:
        """The number from which to read on, and that after the last line's."""
        end = self._next if self._end is None else self._end
        return Bounds({self.title: self._next}, {self.title: end})

    async def poll(self, max_records: int) -> Polled:
        """The next records.

        Raises:
            FileError: The file cannot be read to its end.
        """
        parts = list(islice(self._parts, max_records))
        self.is_read = len(parts) < max_records
        if self.left is not None:
            self.left -= len(parts)
        if parts:
            self._next = max(self._next, parts[-1].number + 1)
        return Polled([self._record_of(part) for part in parts])

    def _record_of(self, part: Part) -> Record:
        is_again = part.number < self._new_from
        return Record(self.title, 0, part.number, None, part.content, is_again=is_again)


def _measured(file: RunFile, limit: int, first: int) -> tuple[int, int]:
    """How many records there are from a number on, and the number after the last of all."""
    count, end = 0, _FIRST
    for part in file.records(limit):
        count += part.number >= first
        end = part.number + 1
    return count, end

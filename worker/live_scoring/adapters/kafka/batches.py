"""Records to publish, put together to batches of a size that their topic takes."""

from collections.abc import Sequence

from aiokafka.producer.message_accumulator import BatchBuilder
from msgspec import Struct

_MOST_BYTES = 512 * 1024
"""Half of what a broker takes by default; twice as much is no faster."""
_TRY_MORE_AFTER = 1_000
_UNCOMPRESSED = 0
_NO_HEADERS: list[tuple[str, bytes | None]] = []


class Outgoing(Struct, frozen=True, gc=False):
    """A record to publish."""

    key: bytes | None
    value: bytes | None
    partition: int
    headers: Sequence[tuple[str, bytes | None]] = ()
    timestamp_ms: int | None = None
    """Milliseconds since the epoch; None is now."""


class Batch(BatchBuilder):  # type: ignore[misc]  # aiokafka is untyped
    """Records that go to one partition together; can be sent once only."""

    _is_withdrawn = False

    def fill(self, queue: Sequence[Outgoing], begin: int) -> None:
        """Take the records from `begin` on that fit, the first in any case, and then no more.

        As `append` does, three times as quick as calling it for each record.
        """
        append, count = self._builder.append, 0
        for index in range(begin, len(queue)):  # a slice would copy all that is left, each time
            record = queue[index]
            named = list(record.headers) if record.headers else _NO_HEADERS
            if append(count, record.timestamp_ms, record.key, record.value, named) is None:
                break
            count += 1
        self._relative_offset = count
        self.close()

    def withdraw(self) -> None:
        """Do not send it again: aiokafka drops a batch that holds nothing when its turn comes."""
        self._is_withdrawn = True

    def record_count(self) -> int:
        """How many records it holds; none once it is withdrawn."""
        return 0 if self._is_withdrawn else self._relative_offset


def batch_of(queue: Sequence[Outgoing], begin: int, most_bytes: int) -> Batch:
    """A batch of the records from `begin` on that fit, and of the first in any case."""
    batch = Batch(most_bytes, _UNCOMPRESSED)
    batch.fill(queue, begin)
    return batch


class BatchLimit:
    """How large the batches of a topic may be, as the broker's refusals teach.

    `max.message.bytes` is the broker's and each topic's own, may change, and not every user may
    read it.
    """

    def __init__(self) -> None:
        """Begin with what most topics take."""
        self.most_bytes = _MOST_BYTES
        self._confirmed = 0

    def refused(self, size: int) -> None:
        """A batch of several records and so many bytes was too large."""
        self.most_bytes = min(self.most_bytes, size // 2)
        self._confirmed = 0

    def confirmed(self) -> None:
        """A batch was taken; after a thousand of them larger ones are tried again."""
        self._confirmed += 1
        if self._confirmed == _TRY_MORE_AFTER:
            self.most_bytes = min(2 * self.most_bytes, _MOST_BYTES)
            self._confirmed = 0

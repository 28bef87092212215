import asyncio
from collections.abc import Iterable, Mapping

import pytest
from aiokafka import TopicPartition
from aiokafka.errors import KafkaConnectionError
from aiokafka.structs import OffsetAndTimestamp

from live_scoring.adapters.kafka.consumer import first_since, read_to_end

AT = TopicPartition("scores", 0)


class GrowingPartition:
    """A partition to which a record comes after each question."""

    def __init__(self, times_ms: Iterable[int]) -> None:
        self.times_ms = list(times_ms)

    async def end_offsets(self, _: Iterable[TopicPartition]) -> Mapping[TopicPartition, int]:
        end = len(self.times_ms)
        self.times_ms.append(1_000)
        return {AT: end}

    async def offsets_for_times(
        self, since_ms: Mapping[TopicPartition, int]
    ) -> Mapping[TopicPartition, OffsetAndTimestamp | None]:
        assert since_ms[AT] >= 0, "aiokafka refuses a time before 1970"
        found = (n for n, time_ms in enumerate(self.times_ms) if time_ms >= since_ms[AT])
        offset = next(found, None)
        self.times_ms.append(1_000)
        return {AT: None if offset is None else OffsetAndTimestamp(offset, self.times_ms[offset])}


def first_since_in(times_ms: Iterable[int], since_ms: int) -> int:
    return asyncio.run(first_since(GrowingPartition(times_ms), [AT], since_ms))[AT]


def test_no_record_that_comes_while_a_time_is_looked_up_is_passed_over() -> None:
    assert first_since_in([], 500) == 0
    assert first_since_in([100, 200], 5_000) == 2
    assert first_since_in([100, 600], 500) == 1


def test_a_time_before_1970_is_the_beginning() -> None:
    assert first_since_in([100, 600], -1) == 0


class ReadPartition:
    """A partition of which five records were read."""

    def __init__(self, end: int, highwater: int | None, error: Exception | None = None) -> None:
        self._end = end
        self._highwater = highwater
        self._error = error

    async def end_offsets(self, _: Iterable[TopicPartition]) -> Mapping[TopicPartition, int]:
        if self._error is not None:
            raise self._error
        return {AT: self._end}

    async def position(self, _: TopicPartition) -> int:
        return 5

    def highwater(self, _: TopicPartition) -> int | None:
        return self._highwater


@pytest.mark.parametrize(
    ("partition", "is_read"),
    [
        (ReadPartition(5, None), True),
        (ReadPartition(6, 5), False),
        (ReadPartition(3, 5), True),
        (ReadPartition(3, 6), False),
        (ReadPartition(5, 5, KafkaConnectionError()), False),
        (ReadPartition(5, 5, TimeoutError()), False),
    ],
)
def test_a_partition_is_read_to_its_end_only_where_the_broker_says_so(
    partition: ReadPartition, is_read: bool
) -> None:
    assert bool(asyncio.run(read_to_end(partition, [AT]))) is is_read


def test_without_partitions_no_broker_is_asked() -> None:
    assert not asyncio.run(read_to_end(ReadPartition(5, 5, KafkaConnectionError()), []))

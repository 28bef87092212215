import asyncio
from collections.abc import Iterable, Mapping

from aiokafka import TopicPartition
from aiokafka.structs import OffsetAndTimestamp

from live_scoring.adapters.kafka.consumer import first_since

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


def test_no_record_that_comes_while_a_time_is_looked_up_is_passed_over() -> None:
    assert asyncio.run(first_since(GrowingPartition([]), AT, 500)) == 0
    assert asyncio.run(first_since(GrowingPartition([100, 200]), AT, 5_000)) == 2
    assert asyncio.run(first_since(GrowingPartition([100, 600]), AT, 500)) == 1


def test_a_time_before_1970_is_the_beginning() -> None:
    assert asyncio.run(first_since(GrowingPartition([100, 600]), AT, -1)) == 0

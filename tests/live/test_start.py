"""Where a group that never committed begins."""

import asyncio
from dataclasses import dataclass

import pytest

from live_scoring.adapters.kafka import TopicPartition
from live_scoring.live.start import Start, start_offset
from tests.live.fakes import NOW_MS

AT = TopicPartition("agent-runs", 0)
FIRST, END = 3, 10


@dataclass(frozen=True)
class OneRecordASecond:
    """A partition whose last record came just now, the one before a second ago."""

    async def beginning(self, _: TopicPartition) -> int:
        return FIRST

    async def end(self, _: TopicPartition) -> int:
        return END

    async def offset_at(self, _: TopicPartition, timestamp_ms: int) -> int:
        return min(END, max(FIRST, END - 1 - (NOW_MS - timestamp_ms) // 1_000))


@pytest.mark.parametrize(
    ("start", "offset"), [("earliest", FIRST), ("latest", END), (2_000, 7), (3_600_000, FIRST)]
)
def test_a_group_begins_at_an_end_or_a_length_back(start: Start, offset: int) -> None:
    assert asyncio.run(start_offset(OneRecordASecond(), AT, start, NOW_MS)) == offset

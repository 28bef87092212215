"""Letters that an earlier run sent back and did not live to mark."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from live_scoring.adapters.kafka import read_partitions, until_connected
from live_scoring.config import KafkaConfig
from live_scoring.core.score import Source
from live_scoring.dead_letters.sending import RETRIED_FROM, Ends, origin_of
from live_scoring.formats.dead_letter import RetryMark


async def find_arrived(
    kafka: KafkaConfig, dead_letters: str, begun: Iterable[RetryMark], ends: Ends
) -> Mapping[Source, RetryMark]:
    """Which of the letters that were about to be sent stand in their topics, by their sources.

    Args:
        kafka: How to connect.
        dead_letters: The dead-letter topic.
        begun: Marks of step `begun`.
        ends: The partitions that there are now.
    """
    marks = [m for m in begun if m.target.partition in ends.get(m.source.topic, ())]
    begins: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for mark in marks:
        partition, offset = mark.target
        begin = begins[mark.source.topic]
        begin[partition] = min(offset, begin.get(partition, offset))
    found = {topic: await _origins(kafka, topic, begin) for topic, begin in begins.items()}
    return {
        mark.source: mark
        for mark in marks
        if origin_of(dead_letters, mark.letter) in found[mark.source.topic]
    }


async def _origins(kafka: KafkaConfig, topic: str, begin: Mapping[int, int]) -> set[bytes | None]:
    """Which letters stand in partitions of a topic, from these offsets on."""

    async def read() -> set[bytes | None]:
        return {
            value
            async for records in read_partitions(kafka, topic, begin, begin)
            for record in records
            for name, value in record.headers
            if name == RETRIED_FROM
        }

    return await until_connected(read, kafka)

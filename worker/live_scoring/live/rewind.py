"""Taking a scores partition on: from where it is read again, and the verdicts that stand."""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from live_scoring.adapters.kafka import (
    ConsumerRecord,
    GroupConsumer,
    TopicPartition,
    read_partitions,
    until_connected,
)
from live_scoring.config import WorkerConfig
from live_scoring.core.pipeline import SKEW_LIMIT_MS
from live_scoring.core.score import Failure
from live_scoring.core.transition import Transition
from live_scoring.formats.verdict_json import decode_verdict
from live_scoring.live.board import Share

logger = logging.getLogger(__name__)

_GRACE_MS = SKEW_LIMIT_MS + 30_000
"""A score may have been published so long before the time of its run, clocks differing."""


def since_ms(longest_ms: int, now_ms: int) -> int:
    """When the first record may have been published that a window can hold."""
    return now_ms - longest_ms - _GRACE_MS


async def rewound(
    consumer: GroupConsumer, partitions: Collection[TopicPartition], longest_ms: int, now_ms: int
) -> Mapping[TopicPartition, Share]:
    """Shares that are read again from one longest window and a grace back."""
    firsts = await consumer.beginnings(partitions)
    offsets = await consumer.offsets_at(partitions, since_ms(longest_ms, now_ms))
    return {
        at: Share(next_offset=offset, is_truncated=0 < firsts[at] == offset)
        for at, offset in offsets.items()
    }


async def read_standing(
    config: WorkerConfig, partitions: Iterable[int]
) -> Mapping[int, Iterable[Transition]]:
    """The last verdicts of each partition, as the verdicts topic has them.

    Reads again from the start if the broker goes away meanwhile.
    """
    standing: defaultdict[int, dict[bytes, Transition]] = defaultdict(dict)

    async def read() -> None:
        standing.clear()
        async for records in read_partitions(config.kafka, config.topics.verdicts, partitions):
            for record in records:
                _note(standing[record.partition], record)

    await until_connected(read, config.kafka)
    return defaultdict(tuple, {at: tuple(kept.values()) for at, kept in standing.items()})


def _note(standing: dict[bytes, Transition], record: ConsumerRecord) -> None:
    if record.value is None:
        standing.pop(record.key, None)
        return
    transition = decode_verdict(record.value)
    if isinstance(transition, Failure):
        facts = {"partition": record.partition, "offset": record.offset}
        logger.warning("not a verdict", extra={**facts, "reason": transition.reason})
        return
    known = standing.get(record.key)
    if known is None or known.scores_offset <= transition.scores_offset:
        standing[record.key] = transition

"""What a harvest holds goes to its topics; what the broker refuses becomes a dead letter."""

import logging

from live_scoring.adapters.kafka import Outgoing, Refused
from live_scoring.core.score import Failure, Score
from live_scoring.formats.dead_letter import (
    TRUNCATED,
    DeadLetter,
    dead_letter_headers,
    read_headers,
    without_original,
)
from live_scoring.live.intake import Harvest, Intake
from live_scoring.live.services import Services

logger = logging.getLogger(__name__)

_HEADS = (64 * 1024, 4 * 1024, 256, 0)
"""Bytes that are left of a dead letter which the broker takes to be too large, ever fewer."""


class Delivery:
    """Publishes harvests, one after the other, and counts what was confirmed."""

    def __init__(self, services: Services, intake: Intake) -> None:
        """Have published nothing."""
        self._services = services
        self._intake = intake
        self.scores = 0
        """Published since the start."""

    async def publish(self, harvest: Harvest) -> None:
        """Publish scores and dead letters; returns once the broker has confirmed them.

        A dead letter of which it takes not even an empty one is told in the log.
        """
        scores = self._services.config.topics.scores
        refused = await self._services.publisher.publish(scores, harvest.score_records)
        self._count(harvest, refused)
        await self._bury([*harvest.dead_letters, *self._letters_of(harvest, refused)])

    async def _bury(self, letters: list[Outgoing]) -> None:
        """Publish dead letters; one that the broker takes to be too large is cut until it fits."""
        topic, publisher = self._services.config.topics.dead_letters, self._services.publisher
        for size in _HEADS:
            refused = await publisher.publish(topic, letters)
            letters = [_head_of(r.record, size) for r in refused]
        for lost in await publisher.publish(topic, letters):
            _tell_unburied(topic, lost.record)

    def _count(self, harvest: Harvest, refused: list[Refused]) -> None:
        metrics, now_ms = self._services.metrics, self._services.clock.now_ms()
        lost = {id(r.record) for r in refused}
        both = zip(harvest.scores, harvest.score_records, strict=True)
        confirmed = [s for s, record in both if id(record) not in lost] if lost else harvest.scores
        self.scores += len(confirmed)
        metrics.published(s for s in confirmed if self._intake.is_shown(s.agent_id))
        for end_ms, trace_id in harvest.ends:
            metrics.latency(max(0, now_ms - end_ms) / 1000, trace_id)

    def _letters_of(self, harvest: Harvest, refused: list[Refused]) -> list[Outgoing]:
        """Dead letters for scores that the broker refuses for their size."""
        if not refused:
            return []
        scores = {id(r): s for r, s in zip(harvest.score_records, harvest.scores, strict=True)}
        letters = [self._letter_of(scores[id(r.record)], r) for r in refused]
        for _ in letters:
            self._services.metrics.dead_letter("publish", "too_large")
        return letters

    def _letter_of(self, score: Score, refused: Refused) -> Outgoing:
        failure = Failure("publish", "too_large", f"score of {score.scorer}: {refused.reason}")
        headers = tuple(dead_letter_headers(failure, score.source))
        partition = self._intake.dead_partition(score.source)
        return Outgoing(None, refused.record.value, partition, headers)


def _tell_unburied(topic: str, letter: Outgoing) -> None:
    """Say which record has no dead letter, as that is where it still can be found."""
    sentence = f"topic {topic}: takes not even an empty dead letter; raise its max.message.bytes"
    facts: dict[str, object] = {"error": sentence}
    told = read_headers(letter.headers)
    if isinstance(told, DeadLetter):
        source = told.source
        facts |= {"stage": told.failure.stage, "reason": told.failure.reason}
        facts |= {"topic": source.topic, "partition": source.partition, "offset": source.offset}
    logger.error("dead letter not published", extra=facts)


def _head_of(letter: Outgoing, size: int) -> Outgoing:
    """A dead letter cut to its head, without its key and headers, which may be large too."""
    headers = [h for h in without_original(letter.headers) if h != TRUNCATED]
    return Outgoing(None, (letter.value or b"")[:size], letter.partition, (*headers, TRUNCATED))

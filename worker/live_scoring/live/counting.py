"""A record of the scores topic is counted, or told why not."""

import logging

from live_scoring.adapters.kafka import ConsumerRecord
from live_scoring.adapters.metrics import Metrics
from live_scoring.core.score import Failure, Score
from live_scoring.formats.score_json import decode_score
from live_scoring.live.board import Board, Share
from live_scoring.live.tracked import Admitted

logger = logging.getLogger(__name__)


class Counting:
    """Counts records for a board."""

    def __init__(self, board: Board, metrics: Metrics) -> None:
        """Have counted nothing."""
        self._board = board
        self._metrics = metrics
        self._last_duplicate: tuple[str, int, int] | None = None

    def count(self, share: Share, record: ConsumerRecord) -> None:
        """Count the next record of a share."""
        share.next_offset = record.offset + 1
        if share.draft is not None:
            share.draft.pass_by(record)
        if share.is_truncated and share.begins_at_ms is None:
            share.begins_at_ms = record.timestamp
        score = decode_score(record.value)
        if isinstance(score, Failure):
            facts = {"partition": record.partition, "offset": record.offset}
            logger.warning("not a score", extra={**facts, "reason": score.reason})
            return
        admitted = self._board.add(record.partition, score)
        if admitted != "counted" and not share.is_rebuilding:
            self._count_ignored(score, admitted)

    def _count_ignored(self, score: Score, admitted: Admitted | None) -> None:
        metrics, source = self._metrics, score.source
        match admitted:
            case None:
                metrics.overflow()
            case "duplicate":
                run = (source.topic, source.partition, source.offset)
                if run != self._last_duplicate:
                    metrics.run_duplicate(source.topic)
                self._last_duplicate = run
            case "late" | "early" | "stale_scorer" | "replay" as reason:
                metrics.score_ignored(score.agent_id, reason)

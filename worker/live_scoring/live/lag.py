"""How far behind a loop is, in time."""

from collections.abc import Sequence

from live_scoring.adapters.kafka import ConsumerRecord
from live_scoring.core.pipeline import SKEW_LIMIT_MS


def age_ms(records: Sequence[ConsumerRecord], now_ms: int) -> int:
    """Age of the last record that is not dated ahead; 0 if all are, in whole milliseconds.

    One record that is dated ahead would otherwise hide how old the others are.
    """
    latest_ms = now_ms + SKEW_LIMIT_MS
    times = (record.timestamp for record in reversed(records))
    return max(0, now_ms - next((at_ms for at_ms in times if at_ms <= latest_ms), now_ms))

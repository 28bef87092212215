"""Moments as a user writes them: a time, or an age."""

from datetime import UTC, datetime, timedelta

from live_scoring.config.values import parse_length
from live_scoring.core.quote import quoted
from live_scoring.core.wire import whole_ms

_MILLISECOND = timedelta(milliseconds=1)


def parse_moment(text: str, now_ms: int) -> int:
    """Milliseconds since the epoch of `2026-11-01T12:00:00Z`, or of an age such as `7d`.

    A time without a zone is UTC, a date alone its midnight.

    Args:
        text: What was written.
        now_ms: What an age is counted back from, in milliseconds since the epoch.

    Raises:
        ValueError: It is neither; the message says what to write.
    """
    try:
        return now_ms - parse_length(text) // _MILLISECOND
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"{quoted(text)} is no time; write one such as 2026-11-01T12:00:00Z, or an age such "
            "as 7d"
        ) from None
    return whole_ms(moment if moment.tzinfo else moment.replace(tzinfo=UTC))

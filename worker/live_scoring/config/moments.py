"""Moments and ranges of time as a user writes them: a time, or an age."""

from datetime import UTC, datetime, timedelta

from live_scoring.config.values import parse_length
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import quoted
from live_scoring.core.wire import to_rfc3339, whole_ms

_MILLISECOND = timedelta(milliseconds=1)


class RangeError(LiveScoringError):
    """A range of time that cannot be."""


def parse_range(since: str | None, until: str | None, now_ms: int) -> tuple[int | None, int | None]:
    """The moments of `--from` and `--to`, in milliseconds since the epoch; None where not given.

    Args:
        since: A time or an age.
        until: Likewise.
        now_ms: What ages are counted back from, in milliseconds since the epoch.

    Raises:
        RangeError: It cannot be; the message names the option and what to write.
    """
    from_ms, to_ms = _end("--from", since, now_ms), _end("--to", until, now_ms)
    if from_ms is not None and to_ms is not None and from_ms > to_ms:
        raise RangeError(
            f"--from: {to_rfc3339(from_ms)} lies after --to, {to_rfc3339(to_ms)}; swap them"
        )
    return from_ms, to_ms


def _end(option: str, text: str | None, now_ms: int) -> int | None:
    if text is None:
        return None
    try:
        return parse_moment(text, now_ms)
    except ValueError as error:
        raise RangeError(f"{option}: {error}") from None


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

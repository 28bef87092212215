"""Which records of the past are asked for: those of a time, or those between offsets."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from live_scoring.config.moments import parse_range
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import quoted

_OFFSETS = re.compile(r"([0-9]{1,9}):([0-9]{1,18})-([0-9]{0,18})", re.ASCII)


class SpanError(LiveScoringError):
    """Offsets that cannot be."""


@dataclass(frozen=True, slots=True)
class Span:
    """Bounds on the records to be read; without any of them, all that there are."""

    from_ms: int | None = None
    """The earliest timestamp, in milliseconds since the epoch."""
    to_ms: int | None = None
    """Timestamps from here on are outside."""
    offsets: Mapping[int, tuple[int, int | None]] | None = None
    """By partition the first offset and that after the last, None for the end; partitions that
    are not named are not read."""

    def admits(self, timestamp_ms: int | None, margin_ms: int = 0) -> bool:
        """Whether a record of that time, or one so near, is asked for.

        One whose time is not known may be.
        """
        if timestamp_ms is None:
            return True
        is_early = self.from_ms is not None and timestamp_ms < self.from_ms - margin_ms
        return not is_early and (self.to_ms is None or timestamp_ms < self.to_ms + margin_ms)


def parse_span(since: str | None, until: str | None, offsets: str | None, now_ms: int) -> Span:
    """Read a span as it is written on the command line.

    Args:
        since: `--from`, a time or an age.
        until: `--to`, likewise.
        offsets: `--offsets`, such as `0:100-200,1:5-`; both ends are read.
        now_ms: What ages are counted back from, in milliseconds since the epoch.

    Raises:
        LiveScoringError: It cannot be; the message names the option and what to write.
    """
    if offsets is not None:
        if since is not None or until is not None:
            raise SpanError("--offsets: excludes --from and --to; give one or the other")
        return Span(offsets=dict(_parse_offsets(offsets.split(","))))
    return Span(*parse_range(since, until, now_ms))


def _parse_offsets(texts: Iterable[str]) -> Iterable[tuple[int, tuple[int, int | None]]]:
    seen: set[int] = set()
    for text in texts:
        match = _OFFSETS.fullmatch(text.strip())
        if not match:
            raise SpanError(
                f"--offsets: {quoted(text)} is no range; write partition:first-last such as "
                "0:100-200, or 0:100- to the end"
            )
        partition, first = int(match[1]), int(match[2])
        last = int(match[3]) if match[3] else None
        if last is not None and last < first:
            raise SpanError(f"--offsets: {text.strip()} ends before it begins; swap the two")
        if partition in seen:
            raise SpanError(f"--offsets: partition {partition} stands twice; give one range of it")
        seen.add(partition)
        yield partition, (first, None if last is None else last + 1)

"""A moment on the command line: a timestamp, or how long ago."""

from datetime import timedelta
from typing import Any

import click

from live_scoring.core.wire import to_ms
from live_scoring.live.clock import Clock

_MILLISECOND = timedelta(milliseconds=1)


class Moment(click.ParamType):
    """Milliseconds since the epoch, given as RFC 3339 or as a length such as `7d` before now."""

    name = "time"

    def __init__(self, clock: Clock) -> None:
        """Tell how long ago something was by this clock."""
        self._clock = clock

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it, or tell what to write."""
        from live_scoring.config.values import parse_length  # noqa: PLC0415 -- pydantic is slow

        if isinstance(value, int):
            return value
        try:
            return self._clock.now_ms() - parse_length(value) // _MILLISECOND
        except ValueError:
            pass
        try:
            return to_ms(value)
        except ValueError:
            example = "2026-11-01T12:00:00Z, or 7d for 7 days ago"
            self.fail(f"{value!r} is no time; give one such as {example}", param, ctx)


MOMENT = Moment(Clock())

"""Logging: JSON lines for machines, readable lines on a terminal; facts are fields of their own."""

import json
import logging
import sys
from typing import Any

from aiohttp.http_exceptions import HttpProcessingError
from pythonjsonlogger.json import JsonFormatter

from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import printable

FAUST_LOGGER = logging.getLogger("faust")
"""For what Faust says of the life of our services."""
_VENDORS = ("aiokafka", "faust", "mode", "aiohttp", "asyncio")
_REPEAT_SECONDS = 10.0
_REMEMBERED = 1000
_TOLD_ELSEWHERE = (LiveScoringError, HttpProcessingError)
"""Errors that whoever met them has told, and what is answered to a request that is no HTTP."""
_OWN_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class Sparing(logging.Filter):
    """Lets a library say the same thing once in ten seconds, and nothing of our own errors.

    A client that cannot reach its broker says so several times a second, Faust tells of an
    error from each service that it ends, and the web server of each request that is none.
    """

    def __init__(self) -> None:
        """Start with nothing said."""
        super().__init__()
        self._said_at: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is to be written."""
        if record.name.partition(".")[0] not in _VENDORS:
            return True
        if record.exc_info and isinstance(record.exc_info[1], _TOLD_ELSEWHERE):
            return False
        said = record.name, str(record.msg)
        if record.created - self._said_at.get(said, 0.0) < _REPEAT_SECONDS:
            return False
        if len(self._said_at) >= _REMEMBERED:
            self._said_at.clear()
        self._said_at[said] = record.created
        return True


class PlainFormatter(logging.Formatter):
    """`12:00:01 INFO message key=value`, for eyes."""

    def __init__(self) -> None:
        """Show the time of day."""
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- the base class's name
        """The line without a stack, its facts behind the message."""
        facts = (f"{k}={_plain(v)}" for k, v in vars(record).items() if k not in _OWN_FIELDS)
        return " ".join((super().formatMessage(record), *facts))

    def formatException(self, ei: Any) -> str:  # noqa: N802 -- the base class's name
        """The stack; what an error quotes acts on no terminal."""
        return "\n".join(map(printable, super().formatException(ei).splitlines()))


def _plain(value: object) -> str:
    if isinstance(value, str) and value.isprintable() and value and " " not in value:
        return value
    return printable(json.dumps(value, default=str, ensure_ascii=False))


def json_formatter() -> logging.Formatter:
    """One JSON object a line: `timestamp`, `level`, `logger`, `message` and the facts."""
    names = {"levelname": "level", "name": "logger"}
    return JsonFormatter("%(levelname)s %(name)s %(message)s", rename_fields=names, timestamp=True)


def logging_config(*, is_terminal: bool) -> dict[str, Any]:
    """The set-up in the form that `logging.config.dictConfig` takes.

    Libraries speak from warnings on: their debug records cost an eighth of the time even where
    nobody reads them.

    Args:
        is_terminal: Whether eyes read standard error.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": PlainFormatter if is_terminal else json_formatter}},
        "filters": {"sparing": {"()": Sparing}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["sparing"],
                "stream": sys.stderr,
            }
        },
        "loggers": {name: {"level": "WARNING"} for name in _VENDORS},
        "root": {"level": "INFO", "handlers": ["stderr"]},
    }

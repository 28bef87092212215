"""How records look as bytes: JSON and timestamps, the same for runs, scores and verdicts."""

import json
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any

import orjson
from msgspec import Meta
from pydantic import BeforeValidator, Field, WithJsonSchema

Share = Annotated[float, Field(ge=0, le=1), Meta(ge=0, le=1)]
Count = Annotated[int, Field(ge=0), Meta(ge=0)]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_FIRST_MS = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
_LAST_MS = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
_CACHE_SIZE = 4096
"""The scores of one run share their two timestamps, and runs of one batch often do."""


def to_json(value: Any) -> bytes:
    """Compact JSON in UTF-8; a lone surrogate is written as its escape, as JavaScript does."""
    try:
        return orjson.dumps(value)
    except TypeError:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.encode(errors="backslashreplace")


@lru_cache(_CACHE_SIZE)
def to_rfc3339(ms: int) -> str:
    """Milliseconds since the epoch as `2026-11-01T12:00:01.110Z`, held to the years 1 to 9999."""
    moment = _EPOCH + timedelta(milliseconds=min(max(ms, _FIRST_MS), _LAST_MS))
    return moment.isoformat(timespec="milliseconds")[:-6] + "Z"


@lru_cache(_CACHE_SIZE)
def to_ms(timestamp: str) -> int:
    """Milliseconds since the epoch of an RFC 3339 timestamp.

    Raises:
        ValueError: It is none, or names no time zone.
    """
    moment = datetime.fromisoformat(timestamp)
    if moment.tzinfo is None:
        raise ValueError("no time zone")
    return whole_ms(moment)


def whole_ms(moment: datetime) -> int:
    """A moment with a time zone in whole milliseconds since the epoch."""
    return (moment - _EPOCH) // _MILLISECOND


def _read_timestamp(value: object) -> int:
    if not isinstance(value, str):
        raise ValueError("not a text")  # noqa: TRY004 -- what pydantic turns into its own error
    return to_ms(value)


def _check_timestamp(value: object) -> object:
    _read_timestamp(value)
    return value


_AS_TIMESTAMP = WithJsonSchema({"type": "string", "format": "date-time"})
Timestamp = Annotated[int, BeforeValidator(_read_timestamp), _AS_TIMESTAMP]
"""Milliseconds since the epoch, on the wire as RFC 3339."""
TimestampText = Annotated[str, BeforeValidator(_check_timestamp), _AS_TIMESTAMP]
"""RFC 3339, left to be read by `to_ms`."""

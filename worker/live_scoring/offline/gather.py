"""The runs of a file; those that come in spans once all records are read."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from live_scoring import gathering
from live_scoring.adapters.files import Part
from live_scoring.core.score import Source
from live_scoring.formats import FORMATS, Format, Limits
from live_scoring.gathering import Find, Gatherer
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.traces import Bounds

_BOUNDS = Bounds(max_open=sys.maxsize, max_open_bytes=sys.maxsize)
"""Nothing is closed for its age, since a record of a file has no time."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read."""

    source: str
    """The file in messages."""
    format_name: str | None
    """None looks at each record."""
    limits: Limits
    formats: Mapping[str, Format] = field(default_factory=lambda: FORMATS)
    agent_id: str | None = None
    """Whose runs those are that name no agent."""


def gather(parts: Iterable[Part], reading: Reading) -> Iterator[Find]:
    """All that is found; memory grows with the spans of the file, not with its whole runs."""
    gatherer = Gatherer(gathering.Reading(reading.limits, reading.formats), _BOUNDS)
    for part in parts:
        source = Source(reading.source, 0, part.number, 0)
        envelope = Envelope(source, agent_id=reading.agent_id)
        yield from gatherer.take(part.content, envelope, reading.format_name)
    yield from gatherer.flush()

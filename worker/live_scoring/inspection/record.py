"""One record to be looked at, whether a topic or a file holds it."""

from dataclasses import dataclass

from live_scoring.telemetry.envelope import Envelope


@dataclass(frozen=True, slots=True)
class Record:
    """A record and what is said of it before anyone looks."""

    place: str
    """Where it lies, in messages."""
    payload: bytes | None
    envelope: Envelope
    format_name: str | None
    """The format that a header, the command or the configuration names; None looks at it."""

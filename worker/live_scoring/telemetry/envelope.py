"""What stands around a payload: the record it came in, its key and its headers."""

from collections.abc import Sequence
from typing import NamedTuple

from live_scoring.core.score import Source

_NOWHERE = Source("", 0, 0, 0)


class Envelope(NamedTuple):
    """A record without its value: what a payload leaves out may stand here."""

    source: Source = _NOWHERE
    key: bytes | None = None
    headers: Sequence[tuple[str, bytes | None]] = ()
    """As they came: a name may stand there several times, and lack its value."""
    agent_id: str | None = None
    """Whose runs the topic holds, by configuration."""

    def header(self, *names: str) -> str | None:
        """The text of the first of these headers that is there and not empty.

        Of several of one name the last counts.
        """
        held = dict(self.headers)
        found = (held.get(name) for name in names)
        return next((value.decode(errors="replace") for value in found if value), None)

    def agent(self) -> str | None:
        """The agent that the record names: in a header, by its topic's setting, or as its key."""
        key = self.key.decode(errors="replace") if self.key else None
        return self.header("agent-id", "agent_id") or self.agent_id or key

    def run(self) -> str:
        """The run that the record names in a header, else the record itself."""
        place = f"{self.source.topic}/{self.source.partition}/{self.source.offset}"
        return self.header("run-id", "run_id") or place

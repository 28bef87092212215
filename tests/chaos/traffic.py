"""What is sent in a round: runs of a fleet at a steady rate, some twice and some malformed."""

from collections.abc import Iterator

from tests.chaos.plan import draw
from tests.integration.fleet import FleetRun
from tests.integration.stream import Stream

PER_SECOND = 200
FLOOD = 200
"""Bad records of a flood: so few that the first 1,000 after any start are mostly good."""
_MINUTE_MS = 60_000
_AGES = ((0.7, 0, 40), (0.9, 120, 240), (1.0, 420, 600))
"""Shares, and between how many minutes ago their runs ended: inside both windows, inside the
longer one alone, and too late for both."""


class Traffic:
    """The runs of a round on their way to a topic."""

    def __init__(self, address: str, topic: str, begin_ms: int) -> None:
        """Send nothing yet; `begin_ms` is now."""
        self.runs: dict[bytes, FleetRun] = {}
        """What was sent that is a run, confirmed or not."""
        self.confirmed: set[bytes] = set()
        """What must be in the topic; anything else that was sent may be."""
        self._begin_ms = begin_ms
        self._number = 0
        self._floods = self._floods_sent = 0
        self._stream = Stream(address, topic, self._due, self.confirmed.add)

    def start(self) -> None:
        """Begin to send."""
        self._stream.start()

    def flood(self) -> None:
        """Send a flood of bad records among the good."""
        self._floods += 1

    def stop(self) -> None:
        """Send no more; returns once the brokers have taken or refused everything."""
        self._stream.stop()

    def _due(self, seconds: float) -> Iterator[bytes]:
        while self._number < seconds * PER_SECOND:
            yield from self._run(self._number)
            self._number += 1
        while self._floods_sent < self._floods:
            yield from (b"flood %d of %d" % (n, self._floods_sent) for n in range(FLOOD))
            self._floods_sent += 1

    def _run(self, number: int) -> Iterator[bytes]:
        run = FleetRun(number, self._begin_ms - _age_ms(number))
        value = run.encoded()
        self.runs[value] = run
        yield value
        if number % 20 == 7:
            yield value
        if number % 100 == 50:
            yield value[:-9]


def _age_ms(number: int) -> int:
    which = draw(f"age {number}")
    low, high = next((low, high) for share, low, high in _AGES if which < share)
    return int((low + draw(f"how old {number}") * (high - low)) * _MINUTE_MS)

"""The loop of a replay: records in, scores to their sinks, a checkpoint once they are certain."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from live_scoring.replay.history import Bounds, History
from live_scoring.replay.pace import Pace
from live_scoring.replay.scoring import Harvest, Scoring
from live_scoring.replay.sinks import Sink
from live_scoring.replay.tally import Tally

_MAX_RECORDS = 1_000
_PAUSE_SECONDS = 0.2
"""At most so long a capped replay sleeps before it looks whether it is to stop."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What the loop tells others."""

    is_asked_to_stop: Callable[[], bool]
    save: Callable[[Bounds, Tally], None]
    """Called once everything before these bounds is certain."""
    show: Callable[[Tally, int | None], None]
    """Called with what is left to read."""


class Replay:
    """Scores a history; the next records are read while the scores of the last are written."""

    def __init__(
        self, history: History, scoring: Scoring, sinks: Sequence[Sink], ports: Ports, tally: Tally
    ) -> None:
        """Begin, or go on with what an earlier run has counted."""
        self._history = history
        self._scoring = scoring
        self._sinks = sinks
        self._ports = ports
        self.tally = tally
        """What became of all records whose scores are certain."""
        self._flight: asyncio.Task[None] | None = None

    async def run(self, pace: Pace, monotonic: Callable[[], float]) -> bool:
        """Read to the end, or until asked to stop; whether the end was reached.

        Raises:
            LiveScoringError: Something that waiting cannot mend; the last checkpoint stands.
        """
        try:
            while not self._history.is_read and not self._ports.is_asked_to_stop():
                if allowed := pace.allowed(_MAX_RECORDS, monotonic()):
                    pace.take(await self._work(allowed))
                else:
                    await self._settle()
                    await asyncio.sleep(min(pace.wait_seconds, _PAUSE_SECONDS))
            await self._settle()
            if self._history.is_read:
                await self._keep(await self._scoring.finish(), self._history.bounds, 0)
        finally:
            if self._flight is not None:
                self._flight.cancel()
        return self._history.is_read

    async def _work(self, max_records: int) -> int:
        polled = await self._history.poll(max_records)
        bounds, left = self._history.bounds, self._history.left
        harvest = await self._scoring.score(polled.records)
        bounds = replace(bounds, again=self._scoring.again())
        harvest.tally.note("missing", polled.missing)
        await self._settle()
        self._flight = asyncio.create_task(self._keep(harvest, bounds, left))
        return len(polled.records)

    async def _settle(self) -> None:
        """Wait until what was read last is certain."""
        if self._flight is not None:
            flight, self._flight = self._flight, None
            await flight

    async def _keep(self, harvest: Harvest, bounds: Bounds, left: int | None) -> None:
        refused = [await sink.write(harvest.scores) for sink in self._sinks]
        harvest.tally.note("refused", sum(refused))
        self.tally.include(harvest.tally)
        if harvest.tally.passed:
            await asyncio.to_thread(self._ports.save, bounds, self.tally)
        self._ports.show(self.tally, left)

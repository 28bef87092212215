"""What a turn finds is scored in batches, each as large as the processor's caches bear."""

from live_scoring.core.batch import Filling
from live_scoring.gathering import Found, GatheredRun
from live_scoring.live.intake import Harvest, Intake
from live_scoring.live.turn import Turn


class Batching:
    """Collects runs until there are enough, then has them scored."""

    def __init__(self, intake: Intake, harvest: Harvest, turn: Turn) -> None:
        """Begin with nothing collected; what runs lead to goes into the harvest."""
        self._intake = intake
        self._harvest = harvest
        self._turn = turn
        self._filling = Filling[GatheredRun]()

    async def take(self, found: Found, record_bytes: int = 0) -> None:
        """Take the next run, or what cannot be read.

        Args:
            found: What was found.
            record_bytes: Size of the record in which it was.
        """
        if not isinstance(found, GatheredRun):
            self._intake.bury(found, self._harvest)
        elif self._filling.add(found, record_bytes):
            await self.flush()

    async def flush(self) -> None:
        """Score what is left."""
        runs = self._filling.take()
        batch = self._intake.ask(runs)
        for _ in batch.steps():
            if self._turn.is_over:
                await self._turn.pause()
        for run, outcome in zip(runs, batch.outcomes(), strict=True):
            self._intake.take(run, outcome, self._harvest)
            if self._turn.is_over:
                await self._turn.pause()

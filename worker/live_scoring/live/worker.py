"""One worker: its configuration, its two loops, and what the pages and the log show of them."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from live_scoring.adapters.metrics import Metrics
from live_scoring.config import Config
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.pipeline import Plan
from live_scoring.live.clock import Clock
from live_scoring.live.fleet import Fleet
from live_scoring.live.notify import Webhook
from live_scoring.live.pace import Pace

logger = logging.getLogger(__name__)

STOP_SECONDS = 10.0
"""How long a loop may take to end its turn; what it has not confirmed then is not committed."""
_TURN_LIMIT_SECONDS = 300.0
"""A turn takes as long as an absent broker keeps it waiting; beyond this a new start is better, and
loses nothing."""


class Loop(Protocol):
    """One of the two record loops."""

    turned_at: float
    """When it last began a turn, by the monotonic clock."""

    @property
    def is_ready(self) -> bool:
        """Whether its partitions are assigned and rebuilt."""

    async def run(self) -> None:
        """Work until `stop`; raises a `LiveScoringError` for what cannot mend."""

    def stop(self) -> None:
        """Let the turn under way end."""

    async def replan(self, plan: Plan) -> None:
        """Go on by another plan."""


@dataclass(frozen=True, slots=True)
class Halves:
    """The loops that this process runs, and what there is to tell of them."""

    loops: Mapping[str, Loop]
    """By name: `scoring`, `verdicts`."""
    summary: Callable[[], Mapping[str, Any]] = dict
    """Facts for the line that is logged every minute."""
    unknown_agents: Mapping[str, int] = field(default_factory=dict)
    """Runs by agent ids that no plan names; bounded."""


OpenHalves = Callable[["Worker"], AbstractAsyncContextManager[Halves]]
"""Waits for the broker, sees to the topics, and gives the loops ready to run."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A configuration and the plan that it makes."""

    config: Config
    plan: Plan
    webhooks: tuple[Webhook, ...] = ()


class Worker:
    """Runs the loops and reloads their plan. Knows nothing of Faust, which hosts it."""

    def __init__(
        self,
        setting: Setting,
        load: Callable[[], Setting],
        open_halves: OpenHalves,
        metrics: Metrics,
        clock: Clock,
    ) -> None:
        """Prepare; nothing runs before `run`.

        Args:
            setting: What to begin with.
            load: Reads the configuration again; raises a `LiveScoringError` for a bad one.
            open_halves: Makes the loops.
            metrics: Told of every reload.
            clock: The time.
        """
        self.setting = setting
        self.metrics = metrics
        self.clock = clock
        self.fleet = Fleet()
        self.pace = Pace(clock.monotonic)
        self.halves = Halves({})
        """Empty until the broker has answered."""
        self.has_topics = asyncio.Event()
        self.failure: LiveScoringError | None = None
        """What ended the loops, if nothing could mend it."""
        self._in_force = _fixed(setting)
        self._load = load
        self._open_halves = open_halves
        self._has_ended = asyncio.Event()
        self._note_reload(ok=True)

    # Life.

    async def run(self) -> None:
        """Run the loops until `stop`.

        Raises:
            LiveScoringError: One of them met what cannot mend; the other has ended its turn.
        """
        opened_by = self.setting.plan
        try:
            async with self._open_halves(self) as halves:
                self.halves = halves
                self.has_topics.set()
                if self.setting.plan is not opened_by:
                    await self._replan()  # a reload came while the broker was away
                await _run_all(tuple(halves.loops.values()))
        except LiveScoringError as error:
            self.failure = error
            logger.critical("cannot go on", extra={"error": str(error)})
            raise
        finally:
            self._has_ended.set()

    async def stop(self) -> None:
        """Let the loops end their turns, and wait for that, but not for an absent broker."""
        for loop in self.halves.loops.values():
            loop.stop()
        if self.halves.loops:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_ended.wait(), STOP_SECONDS)

    # Configuration.

    async def reload(self) -> None:
        """Read the configuration again and go on by it; a bad one changes nothing."""
        try:
            setting = await asyncio.to_thread(self._load)
        except LiveScoringError as error:
            self._note_reload(ok=False)
            logger.warning("configuration refused, the old one stands", extra={"error": str(error)})
            return
        if _fixed(setting) != self._in_force:
            logger.warning("worker.yaml has changed beyond its windows, restart to take it up")
        self.setting = setting
        await self._replan()
        self._note_reload(ok=True)
        logger.info("configuration reloaded", extra={"config_hash": setting.plan.config_hash})

    async def _replan(self) -> None:
        for loop in self.halves.loops.values():
            await loop.replan(self.setting.plan)

    def _note_reload(self, *, ok: bool) -> None:
        plan, at_seconds = self.setting.plan, self.clock.now_ms() / 1000
        if ok:
            self.metrics.expect(plan)
        self.metrics.reload(ok=ok, config_hash=plan.config_hash, at_seconds=at_seconds)

    # What is shown.

    @property
    def is_alive(self) -> bool:
        """Whether nothing is stuck: every loop that has partitions began a turn lately."""
        since = self.clock.monotonic() - _TURN_LIMIT_SECONDS
        running = [loop for loop in self.halves.loops.values() if loop.is_ready]
        return self.failure is None and all(loop.turned_at > since for loop in running)

    @property
    def is_ready(self) -> bool:
        """Whether every loop works on what it was assigned."""
        return bool(self.halves.loops) and all(self.readiness.values())

    @property
    def readiness(self) -> Mapping[str, bool]:
        """For each loop whether it works on what it was assigned; empty before they are made."""
        return {name: loop.is_ready for name, loop in self.halves.loops.items()}


def _fixed(setting: Setting) -> dict[str, Any]:
    """What a running worker cannot change: `worker.yaml` without what plan and page take up."""
    return setting.config.worker.model_dump(
        exclude={"windows": True, "links": True, "web": {"show_text"}}
    )


async def _run_all(loops: Sequence[Loop]) -> None:
    """Run all; when one ends, let the others end too.

    Raises:
        LiveScoringError: One was cancelled, and not by us: it must not be missing in silence.
    """
    tasks = [asyncio.create_task(loop.run()) for loop in loops]
    is_lost = False
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        is_lost = any(task.cancelled() for task in ended)
        for loop in loops:
            loop.stop()
        await asyncio.wait(tasks, timeout=STOP_SECONDS)
    finally:
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
    if is_lost:
        raise LiveScoringError("a loop was cancelled by what it waited for; start the worker again")

"""The demo between start and end: sends, looks at the worker's pages, shows what it sees."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, TypeVar

from live_scoring.core.errors import LiveScoringError
from live_scoring.demo.history import History
from live_scoring.demo.pages import Figures, VerdictView, WorkerPages
from live_scoring.demo.screen import Row, Screen
from live_scoring.demo.sender import Sender
from live_scoring.demo.traffic import AGENTS

T = TypeVar("T")

_TICK_SECONDS = 0.2
_RATE_TICKS = 25
_SETTLE_SECONDS = 10.0


class DemoError(LiveScoringError):
    """The demo did not go as it must."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What the demo plays on."""

    pages: WorkerPages
    screen: Screen
    window: str
    why_dead: Callable[[], str | None]
    """Why it cannot go on: a process that must live is gone."""


class Play:
    """One showing."""

    def __init__(self, stage: Stage, sender: Sender, duration: float) -> None:
        """Prepare to send for `duration` seconds."""
        self._stage = stage
        self._sender = sender
        self._duration = duration
        self._history = History()
        self._counts: deque[tuple[float, Mapping[str, int]]] = deque(maxlen=_RATE_TICKS)

    async def play(self) -> None:
        """Send and show, then sum up.

        Raises:
            DemoError: Worker or broker died, or a verdict came out otherwise than expected.
        """
        started = time.monotonic()
        while (elapsed := time.monotonic() - started) < self._duration:
            await self._sender.send(elapsed, _now_ms())
            await self._look(elapsed)
            await asyncio.sleep(_TICK_SECONDS)
        self._sum_up(await self._settle())

    async def _look(self, elapsed: float) -> None:
        figures = await self._living(self._stage.pages.figures())
        verdicts = {
            view.agent_id: view for view in await self._living(self._stage.pages.verdicts())
        }
        self._counts.append((elapsed, figures.runs))
        rows = [self._row(a.agent_id, figures, verdicts.get(a.agent_id)) for a in AGENTS]
        for row in rows:
            previous = self._history.note(row.agent_id, row.verdict)
            if previous is not None:
                self._stage.screen.tell(elapsed, row, previous)
        self._stage.screen.show(elapsed, self._duration, rows)

    def _row(self, agent_id: str, figures: Figures, view: VerdictView | None) -> Row:
        return Row(
            agent_id,
            self._stage.window,
            view.verdict if view else "no_data",
            view.trouble if view else "",
            figures.samples.get(agent_id, 0),
            self._rate(agent_id),
        )

    def _rate(self, agent_id: str) -> float:
        (since, before), (until, after) = self._counts[0], self._counts[-1]
        runs = after.get(agent_id, 0) - before.get(agent_id, 0)
        return runs / (until - since) if until > since else 0.0

    async def _settle(self) -> Figures:
        """Wait until the worker has read all that was sent."""
        deadline = time.monotonic() + _SETTLE_SECONDS
        while True:
            figures = await self._living(self._stage.pages.figures())
            if figures.consumed >= self._sender.sent or time.monotonic() > deadline:
                return figures
            await asyncio.sleep(_TICK_SECONDS)

    def _sum_up(self, figures: Figures) -> None:
        say = self._stage.screen.say
        say(
            f"{self._sender.sent:,} runs sent, {figures.consumed:,} read, {figures.published:,} "
            f"scores published, {figures.dead_letters:,} dead letters"
        )
        for agent in AGENTS:
            say(f"{agent.agent_id:<20} {self._history.of(agent.agent_id)}")
        surprises = self._history.surprises()
        if figures.consumed != self._sender.sent:
            surprises.append(f"the worker read {figures.consumed} of {self._sender.sent} runs")
        if surprises:
            raise DemoError("; ".join(surprises))

    async def _living(self, step: Coroutine[Any, Any, T]) -> T:
        """Take a step; if it fails, say which process is to blame."""
        try:
            return await step
        except (OSError, HTTPException) as error:
            why = self._stage.why_dead() or f"no answer from {self._stage.pages.url}: {error}"
            raise DemoError(why) from error


def _now_ms() -> int:
    return time.time_ns() // 1_000_000

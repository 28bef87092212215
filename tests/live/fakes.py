"""A worker whose loops do nothing but turn."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import faust

from live_scoring.adapters.metrics import Build, Known, Metrics
from live_scoring.config import Config, WorkerConfig
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.verdict import Gate
from live_scoring.core.window import WindowSpec
from live_scoring.live.clock import Clock
from live_scoring.live.fleet import Fleet
from live_scoring.live.worker import Halves, Setting, Worker

NOW_MS = 1_793_534_402_000
NOBODY = "127.0.0.1:1"
"""An address where no broker answers."""


@dataclass
class FakeLoop:
    """A loop that turns until it is stopped, or raises an error in its first turn."""

    error: BaseException | None = None
    is_ready: bool = True
    turned_at: float = 0.0
    plans: list[Plan] = field(default_factory=list)
    is_stopped: bool = False
    has_ended: bool = False

    async def run(self) -> None:
        try:
            while not self.is_stopped:
                if self.error is not None:
                    raise self.error
                await asyncio.sleep(0.01)
        finally:
            self.has_ended = True

    def stop(self) -> None:
        self.is_stopped = True

    async def replan(self, plan: Plan) -> None:
        self.plans.append(plan)


@dataclass
class FakeClock:
    """Time that stands until a test moves it."""

    monotonic_seconds: float = 0.0

    def as_clock(self) -> Clock:
        return Clock(now_ms=lambda: NOW_MS, monotonic=lambda: self.monotonic_seconds)


def plan_of(*patterns: str, config_hash: str = "hash-1") -> Plan:
    """A plan of one gate and one window for each pattern."""
    windows = (WindowSpec("5m", 300_000),)
    return Plan(tuple(AgentPlan(p, windows, (), (Gate("polite"),)) for p in patterns), config_hash)


def setting_of(plan: Plan, brokers: str = NOBODY) -> Setting:
    """A plan with a configuration that serves on a free port."""
    raw: dict[str, Any] = {"kafka": {"bootstrap_servers": brokers}, "web": {"port": 0}}
    return Setting(Config(WorkerConfig.model_validate(raw), ()), plan)


def no_fleet(_config: WorkerConfig, _fleet: Fleet) -> faust.App:
    """An agent on the verdicts topic that never starts."""
    raise RuntimeError("no fleet here")


def refuse() -> Setting:
    """Read a configuration that cannot be used."""
    raise LiveScoringError("worker.yaml: bad")


async def _pass(_worker: Worker) -> None:
    """The broker is there."""


def worker_of(
    *loops: FakeLoop,
    setting: Setting | None = None,
    load: Callable[[], Setting] = refuse,
    clock: Clock | None = None,
    waiting: Callable[[Worker], Awaitable[None]] = _pass,
    **halves: Any,
) -> Worker:
    """A worker with these loops, named `loop-0`, `loop-1`, …; `waiting` for the broker first."""

    @asynccontextmanager
    async def open_halves(worker: Worker) -> AsyncIterator[Halves]:
        await waiting(worker)
        yield Halves({f"loop-{n}": loop for n, loop in enumerate(loops)}, **halves)

    metrics = Metrics(Known((), (), (), ()), Build("0", "0"))
    return Worker(
        setting or setting_of(plan_of("weather-agent")),
        load,
        open_halves,
        metrics,
        clock or FakeClock().as_clock(),
    )

"""The Faust app that hosts the worker: web pages, record loops, agents, timers.

`faust -A live_scoring.live.app worker` starts what `live-scoring run` starts. Importing this
module does nothing; the name `app` is made when it is first asked for.
"""

import asyncio
import gc
import logging
import os
import socket
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from logging.config import dictConfig
from pathlib import Path
from typing import Any

import faust
from faust.types import ServiceT
from faust.worker import Worker as FaustWorker

from live_scoring.adapters.collector import COLLECT_SECONDS, tamed_collector
from live_scoring.adapters.kafka.closing import drop_given_up
from live_scoring.live.agent_app import AgentKeeper, brokers
from live_scoring.live.assembly import build_worker
from live_scoring.live.fleet_agent import MakeApp, fleet_app
from live_scoring.live.hangup import hold_hangups, take_hangups
from live_scoring.live.leaving import leave_in_time
from live_scoring.live.logs import FAUST_LOGGER, logging_config
from live_scoring.live.notify import Notifier
from live_scoring.live.notify_agent import notify_app
from live_scoring.live.web import add_pages
from live_scoring.live.worker import Worker

logger = logging.getLogger(__name__)

_SUMMARY_SECONDS = 60.0
_PACE_SECONDS = 5.0
_READY_SECONDS = 0.2


class LiveApp(faust.App):
    """A Faust app without Kafka of its own: its loops bring it, and its agents.

    Faust starts an app's tasks only once its tables are recovered, so the loops are services
    that start with the app, after its pages: those answer while the broker is still awaited.
    """

    logger = FAUST_LOGGER

    def __init__(
        self,
        worker: Worker,
        make_fleet_app: MakeApp = fleet_app,
        summary_seconds: float = _SUMMARY_SECONDS,
    ) -> None:
        """Host a worker on the address that its configuration names.

        Args:
            worker: What is hosted.
            make_fleet_app: Makes the app of the fleet agent.
            summary_seconds: Between two lines of the log that sum up the work.
        """
        config, web = worker.setting.config.worker, worker.setting.config.worker.web
        super().__init__(
            config.kafka.group_id,
            broker=brokers(config.kafka),
            web_bind=web.host,
            web_host="localhost",  # in an address that nobody asks for, and that takes no IPv6
            web_port=web.port or _free_port(web.host),
            web_in_thread=False,
            Worker=_Worker,
            loghandlers=[],
        )
        self.worker = worker
        self.summary_seconds = summary_seconds
        self._make_fleet_app = make_fleet_app
        add_pages(self, worker)

    @property
    def address(self) -> str:
        """Where the pages are."""
        return url_of(self.conf.web_bind, self.conf.web_port)

    def on_init_dependencies(self) -> Iterable[ServiceT]:
        """Name what starts with the app, in this order, and stops in the other."""
        return [self.web, *self._agents(), Carrier(self.worker), Attendant(self)]

    def _agents(self) -> Iterator[AgentKeeper]:
        worker, config = self.worker, self.worker.setting.config.worker

        async def make_fleet_app() -> faust.App:
            return self._make_fleet_app(config, worker.fleet)

        yield AgentKeeper("fleet", worker.has_topics.wait, make_fleet_app)
        for webhook in worker.setting.webhooks:
            notifier = Notifier(webhook, worker.metrics.notified, worker.clock.now_ms)
            make_app = partial(notify_app, config, notifier)
            yield AgentKeeper(f"notify.{webhook.name}", worker.has_topics.wait, make_app)

    async def on_start(self) -> None:
        """Start without the consumer that Faust would make, with a thread, and never use."""
        self.finalize()

    async def on_shutdown(self) -> None:
        """Say that the end has been reached."""
        logger.info("stopped")

    def _create_directories(self) -> None:
        """Leave no folder behind: nothing is stored on disk."""


class Carrier(faust.Service):
    """Carries the record loops."""

    logger = FAUST_LOGGER

    def __init__(self, worker: Worker) -> None:
        """Carry the loops of a worker."""
        super().__init__()
        self._worker = worker

    @faust.Service.task
    async def _carry(self) -> None:
        await self._worker.run()

    async def on_stop(self) -> None:
        """Let the loops commit what is confirmed."""
        await self._worker.stop()


class Attendant(faust.Service):
    """Tells what happens, and reloads the configuration on SIGHUP."""

    logger = FAUST_LOGGER

    def __init__(self, app: LiveApp) -> None:
        """Attend to an app."""
        super().__init__()
        self._app = app
        self._hangup = asyncio.Event()

    async def on_start(self) -> None:
        """Say what was started."""
        asyncio.get_running_loop().set_exception_handler(drop_given_up)
        take_hangups(self._hangup.set)
        self.add_context(tamed_collector())
        plan = self._app.worker.setting.plan
        facts = {"config_hash": plan.config_hash, "patterns": len(plan.agents)}
        logger.info("started", extra={**facts, "web": self._app.address})
        if self._app.worker.setting.config.worker.web.access == "closed":
            logger.warning("pages are closed, set web.token", extra={"web": self._app.address})

    async def on_stop(self) -> None:
        """Say that the end has come."""
        logger.info("stopping")

    @faust.Service.task
    async def _tell_ready(self) -> None:
        while not self._app.worker.is_ready:
            await self.sleep(_READY_SECONDS)
            if self.should_stop:
                return
        logger.info("ready")

    @faust.Service.task
    async def _reload(self) -> None:
        while not await self.wait_for_stopped(self._hangup.wait()):
            self._hangup.clear()
            await self._app.worker.reload()

    @faust.Service.task
    async def _summarise(self) -> None:
        async for _ in self.itertimer(self._app.summary_seconds, name="summary"):
            logger.info("summary", extra=dict(self._app.worker.halves.summary()))

    @faust.Service.task
    async def _collect(self) -> None:
        async for _ in self.itertimer(COLLECT_SECONDS, name="collect"):
            gc.collect()

    @faust.Service.task
    async def _measure(self) -> None:
        worker = self._app.worker
        async for _ in self.itertimer(_PACE_SECONDS, name="pace"):
            worker.pace.note(worker.halves.summary())


class _Worker(FaustWorker):
    """What `faust worker` runs; leaves logging and the standard streams to us."""

    def __init__(self, *args: Any, **options: Any) -> None:
        ours = {"override_logging": False, "redirect_stdouts": False, "quiet": True}
        super().__init__(*args, **{**options, **ours})
        dictConfig(logging_config(is_terminal=sys.stderr.isatty()))

    async def stop(self) -> None:
        leave_in_time(exit_code=0)
        await super().stop()


def url_of(host: str, port: int) -> str:
    """The address of pages that are served there."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _free_port(host: str) -> int:
    """A free port, for 0, which Faust does not take."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as probe:
        return int(probe.getsockname()[1])


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    hold_hangups()
    folder = Path(os.environ.get("LIVE_SCORING_CONFIG", "config"))
    globals()[name] = made = LiveApp(build_worker(folder))
    return made

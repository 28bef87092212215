"""The demo from start to end: the broker, the worker, the play, and the exit code."""

import asyncio
import importlib.resources
import logging
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from subprocess import Popen

from rich.console import Console

from live_scoring.adapters.embedded_broker import EmbeddedBroker, start_broker
from live_scoring.adapters.kafka import Publisher
from live_scoring.config import WorkerConfig, load_config
from live_scoring.core.errors import LiveScoringError
from live_scoring.demo.pages import WorkerPages
from live_scoring.demo.play import DemoError, Play, Stage
from live_scoring.demo.screen import Screen
from live_scoring.demo.sender import Sender
from live_scoring.demo.traffic import AGENTS
from live_scoring.demo.worker import free_port, running_worker

_WEB_PORT = 9464
_START_SECONDS = 60.0
_STOP_SECONDS = 2.0
_POLL_SECONDS = 0.1
_INTERRUPTED = 130
_PAGES = ("/", "/metrics", "/readyz", "/api/verdicts", "/api/agents")


def run_demo(duration: float, console: Console) -> int:
    """Run the demo and give its exit code: 0, 1 if it went wrong, 130 if it was interrupted.

    Args:
        duration: Seconds of traffic, 15 at least: windows must fill and empty in a third of it.
        console: Where to show it.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    logs = Path(tempfile.mkdtemp(prefix="live-scoring-demo-"))
    logging.basicConfig(filename=logs / "demo.log")
    code = 0
    try:
        _run(duration, console, logs)
    except KeyboardInterrupt:
        console.print("demo: stopped")
        code = _INTERRUPTED
    except LiveScoringError as error:
        is_logged = any(log.stat().st_size for log in logs.iterdir())
        where = f"; the logs are in {logs}" if is_logged else ""
        console.print(f"demo: {error}{where}", markup=False, soft_wrap=True)
        if is_logged:
            return 1
        code = 1
    shutil.rmtree(logs)
    return code


def _run(duration: float, console: Console, logs: Path) -> None:
    with ExitStack() as stack:
        package = importlib.resources.files("live_scoring.demo")
        folder = stack.enter_context(importlib.resources.as_file(package / "config"))
        broker = stack.enter_context(start_broker(logs / "broker.log"))
        settings = {
            "LIVE_SCORING_KAFKA__BOOTSTRAP_SERVERS": broker.address,
            "LIVE_SCORING_WEB__PORT": str(free_port(_WEB_PORT)),
        }
        config = load_config(folder, settings).worker
        environment = _without_own(os.environ) | settings
        log = logs / "worker.log"
        worker = stack.enter_context(running_worker(folder, environment, log))
        screen = stack.enter_context(Screen(console))
        stage = Stage(
            WorkerPages(config.web.port),
            screen,
            next(iter(config.windows)),
            lambda: _why_dead(broker, worker, log),
        )
        asyncio.run(_show(stage, config, duration))


async def _show(stage: Stage, config: WorkerConfig, duration: float) -> None:
    await _until_ready(stage)
    stage.screen.say(f"broker    {config.kafka.bootstrap_servers}")
    addresses = (f"{stage.pages.url}{page}" for page in _PAGES)
    stage.screen.say("pages     " + "\n          ".join(addresses))
    publisher = Publisher(config.kafka, on_failure=lambda _topic: None)
    await publisher.start()
    sender = Sender(publisher, config.topics.runs[0], AGENTS, duration)
    play = asyncio.create_task(Play(stage, sender, duration).play())
    death = asyncio.create_task(_until_dead(stage))
    try:
        await asyncio.wait({play, death}, return_when=asyncio.FIRST_COMPLETED)
        await (play if play.done() else death)
    finally:
        play.cancel()
        death.cancel()
        with suppress(TimeoutError):  # without a broker it would wait long to send the rest
            await asyncio.wait_for(publisher.stop(), _STOP_SECONDS)


async def _until_dead(stage: Stage) -> None:
    while True:
        if why := stage.why_dead():
            raise DemoError(why)
        await asyncio.sleep(_POLL_SECONDS)


async def _until_ready(stage: Stage) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not await stage.pages.is_ready():
        why = stage.why_dead()
        if why or time.monotonic() > deadline:
            raise DemoError(why or f"the worker was not ready in {_START_SECONDS:.0f} seconds")
        await asyncio.sleep(_POLL_SECONDS)


def _why_dead(broker: EmbeddedBroker, worker: Popen[bytes], log: Path) -> str | None:
    if not broker.is_running:
        return "the broker died"
    code = worker.poll()
    if code is None:
        return None
    said = log.read_text(errors="replace").strip().splitlines()[-1:] if code > 0 else []
    return ": ".join([f"the worker ended with code {code}", *said])


def _without_own(environment: Mapping[str, str]) -> dict[str, str]:
    """Settings that somebody's real worker takes from the environment are not the demo's."""
    return {k: v for k, v in environment.items() if not k.startswith("LIVE_SCORING_")}

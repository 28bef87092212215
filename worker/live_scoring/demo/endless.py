"""Traffic without end: the demo's agents send to the topic that a configuration names."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from live_scoring.adapters.kafka import Publisher, count_partitions, until_connected
from live_scoring.config import WorkerConfig, load_worker
from live_scoring.core.errors import LiveScoringError
from live_scoring.demo.sender import Sender
from live_scoring.demo.traffic import AGENTS, DemoAgent

CYCLE_SECONDS = 600.0
"""After so long the agents do again what they did."""

_TICK_SECONDS = 0.2
_LONGEST_STEP_SECONDS = 1.0
"""What a broker that was away has missed is not made up for."""
_STOP_SECONDS = 2.0


def send_traffic(
    folder: Path, environ: Mapping[str, str], rate: float, say: Callable[[str], None]
) -> None:
    """Send until SIGTERM or SIGINT.

    Args:
        folder: Of `worker.yaml`, which names brokers and topic.
        environ: Environment variables; they win over it.
        rate: Runs a second, of all agents together.
        say: Told in a line what is sent where and, at the end, how much it was.

    Raises:
        LiveScoringError: The configuration cannot be used, or there is no such topic.
    """
    config = load_worker(folder, environ)
    sent = asyncio.run(_send(config, agents_at(rate), say))
    say(f"{sent:,} runs sent")


def agents_at(rate: float) -> tuple[DemoAgent, ...]:
    """The demo's agents, so many runs a second all together."""
    share = rate / sum(agent.runs_per_second for agent in AGENTS)
    return tuple(replace(agent, runs_per_second=agent.runs_per_second * share) for agent in AGENTS)


async def _send(
    config: WorkerConfig, agents: Iterable[DemoAgent], say: Callable[[str], None]
) -> int:
    _cancel_at_signals(asyncio.current_task())
    topic = config.topics.runs[0]
    publisher = Publisher(config.kafka, on_failure=lambda _topic: None)
    sender = Sender(publisher, topic, agents, CYCLE_SECONDS)
    try:
        await _require(topic, config)
        await publisher.start()
        say(f"sending to {topic} at {config.kafka.bootstrap_servers} until SIGTERM")
        await _send_on(sender)
    except asyncio.CancelledError:
        pass
    finally:
        with suppress(TimeoutError):  # without a broker it would wait long to send the rest
            await asyncio.wait_for(publisher.stop(), _STOP_SECONDS)
    return sender.sent


async def _send_on(sender: Sender) -> None:
    elapsed, before = 0.0, time.monotonic()
    while True:
        await sender.send(elapsed, time.time_ns() // 1_000_000)
        await asyncio.sleep(_TICK_SECONDS)
        now = time.monotonic()
        elapsed, before = elapsed + min(now - before, _LONGEST_STEP_SECONDS), now


async def _require(topic: str, config: WorkerConfig) -> None:
    kafka = config.kafka
    if topic not in await until_connected(lambda: count_partitions(kafka, [topic]), kafka):
        raise LiveScoringError(f"topic {topic}: does not exist; start a worker, which creates it")


def _cancel_at_signals(task: "asyncio.Task[int] | None") -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        if task is not None:
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)

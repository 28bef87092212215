"""How long after its end a run's scores are confirmed, at a third of the full rate."""

import asyncio
import time
from pathlib import Path

from aiokafka import AIOKafkaProducer

from tests.benchmarks.workload import AGENTS, PARTITIONS, a_run, write_config
from tests.integration import topics
from tests.integration.lab import free_port
from tests.integration.workers import Figures as Page
from tests.integration.workers import Worker

_SECONDS = 20.0
_TICKS_PER_SECOND = 100
_FILLER = "The forecast comes from three stations and was checked against the radar. " * 26


def measure(address: str, folder: Path, runs_per_second: float) -> dict[str, float]:
    """The quantiles that the worker's own histogram gives, in seconds.

    Args:
        address: The broker's.
        folder: For the configuration and the log.
        runs_per_second: How many are sent; each ends when it is sent.
    """
    runs, config = "runs-latency", folder / "latency"
    write_config(config, address, (runs, "scores-latency", "latency"))
    topics.create_topic(address, runs, PARTITIONS)
    worker = Worker(config, free_port(), config / "log")
    try:
        worker.wait_ready()
        asyncio.run(_send(address, runs, runs_per_second))
        page = worker.figures()
    finally:
        worker.kill()
    return {f"latency_p{q:.0f}_seconds": _quantile(page, q / 100) for q in (50, 99)}


async def _send(address: str, topic: str, runs_per_second: float) -> None:
    """Send evenly: so many runs each hundredth of a second."""
    producer = AIOKafkaProducer(bootstrap_servers=address)
    await producer.start()
    began, sent = time.monotonic(), 0
    try:
        while (passed := time.monotonic() - began) < _SECONDS:
            while sent < passed * runs_per_second:
                agent = f"agent-{sent % AGENTS:02}"
                value = a_run(sent, agent, time.time_ns() // 1_000_000, _FILLER)
                await producer.send(topic, value, agent.encode(), sent % PARTITIONS)
                sent += 1
            await asyncio.sleep(1 / _TICKS_PER_SECOND)
    finally:
        await producer.stop()
    await asyncio.sleep(1)


def _quantile(page: Page, share: float) -> float:
    """As Prometheus reads one from a histogram: straight lines within buckets."""
    found = page.having("end_to_end_latency_seconds_bucket")
    buckets = sorted((float(labels["le"]), count) for labels, count in found)
    wanted, low, below = share * buckets[-1][1], 0.0, 0.0
    for bound, count in buckets:
        if count >= wanted:
            return low + (bound - low) * (wanted - below) / (count - below)
        low, below = bound, count
    return low

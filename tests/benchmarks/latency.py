"""How long after its end a run's scores are confirmed, at a third of the full rate.

The worker's histogram knows that exactly, but a quantile only to lie between two bounds. The scores
tell exactly when each was sent. So the mean wait from there to the confirmation, which both give
together, is added to a quantile of the sending, and what comes out is held to the bounds. A reader
at the scores topic would not do: the embedded broker lets one wait for up to a tenth of a second.
"""

import asyncio
import math
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import orjson
from aiokafka import AIOKafkaProducer

from live_scoring.core.wire import to_ms
from tests.benchmarks.workload import AGENTS, PARTITIONS, a_run, filler_of, write_config
from tests.integration import topics
from tests.integration.lab import free_port
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

WARM_SECONDS, SECONDS = 3.0, 20.0
"""What is sent in the first is left out."""
_TICKS_PER_SECOND = 100
_MOST_AT_ONCE = 400
"""Runs: what is more waits for the next tick, so that a partition's share fits its batch."""
_BATCH_BYTES = 1024 * 1024
_HISTOGRAM = "end_to_end_latency_seconds"


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the worker has seen confirmed so far."""

    runs: float
    seconds: float
    """The sum of their delays."""
    within: Mapping[float, float]
    """How many were confirmed within so many seconds; the last bound is infinite."""

    def since(self, before: "Confirmed") -> "Confirmed":
        """What came after an earlier look."""
        within = {bound: count - before.within[bound] for bound, count in self.within.items()}
        return Confirmed(self.runs - before.runs, self.seconds - before.seconds, within)


def measure(
    address: str, folder: Path, runs_per_second: float, seconds: float = SECONDS
) -> dict[str, float]:
    """Quantiles in seconds, the rate that was asked for, and the rate that the sender reached.

    Args:
        address: The broker's.
        folder: For the configuration and the log.
        runs_per_second: How many are to be sent; each ends when it is handed to the producer.
        seconds: How long what counts is sent.
    """
    runs, scores, config = "runs-latency", "scores-latency", folder / "latency"
    write_config(config, address, (runs, scores, "latency"))
    topics.create_topic(address, runs, PARTITIONS)
    worker = Worker(config, free_port(), config / "log")
    try:
        worker.wait_ready()
        warm = asyncio.run(_send(address, runs, 0, (runs_per_second, WARM_SECONDS)))
        before = _confirmed(worker, warm)
        sent = asyncio.run(_send(address, runs, warm, (runs_per_second, seconds)))
        confirmed = _confirmed(worker, warm + sent).since(before)
    finally:
        worker.kill()
    written = ((r.timestamp, r.value) for r in topics.read(address, scores))
    return quantiles_of(confirmed, delays(written, warm)) | {
        "latency_runs_per_s_asked": runs_per_second,
        "latency_runs_per_s_sent": sent / seconds,
    }


def _confirmed(worker: Worker, runs: int) -> Confirmed:
    """What the histogram says, once so many runs are in it."""

    def look() -> Confirmed | None:
        page = worker.figures()
        if page.total(f"{_HISTOGRAM}_count") < runs:
            return None
        buckets = page.having(f"{_HISTOGRAM}_bucket")
        within = sorted((float(labels["le"]), count) for labels, count in buckets)
        return Confirmed(runs, page.total(f"{_HISTOGRAM}_sum"), dict(within))

    found = wait_until("all runs are confirmed", look)
    if found is None:
        raise RuntimeError("a wait ended before it was over")
    return found


def delays(written: Iterable[tuple[int, bytes]], first_run: int) -> Sequence[float]:
    """Seconds from each run's end until its last score was sent, from a run's number on.

    Args:
        written: The scores, each with the time of its sending in milliseconds since the epoch.
        first_run: The number of the first that counts.
    """
    last: dict[str, int] = {}
    for sent_ms, value in written:
        score = orjson.loads(value)
        if int(score["run_id"].rpartition("-")[2]) >= first_run:
            delay_ms = sent_ms - to_ms(score["run_timestamp"])
            last[score["run_id"]] = max(delay_ms, last.get(score["run_id"], 0))
    return [delay_ms / 1000 for delay_ms in last.values()]


def quantiles_of(confirmed: Confirmed, sent: Sequence[float]) -> dict[str, float]:
    """Seconds from the end of a run to its scores confirmed, and shares of runs within bounds."""
    wait = max(0.0, confirmed.seconds / confirmed.runs - statistics.fmean(sent))
    cuts = statistics.quantiles(sent, n=100, method="inclusive")
    found = {
        f"latency_p{percent}_seconds": _held(cuts[percent - 1] + wait, confirmed, percent / 100)
        for percent in (50, 99)
    }
    for bound in (0.05, 0.25):
        share = confirmed.within[bound] / confirmed.runs
        found[f"latency_share_within_{bound * 1000:.0f}_ms"] = share
    return found


def _held(seconds: float, confirmed: Confirmed, share: float) -> float:
    """The number, or the nearest that the histogram allows for this quantile."""
    for low, high in pairwise((0.0, *confirmed.within)):
        if confirmed.within[high] >= share * confirmed.runs:
            return max(low, min(seconds, high))
    return math.inf


async def _send(address: str, topic: str, first_run: int, pace: tuple[float, float]) -> int:
    """Send evenly, what is due each hundredth of a second as one batch a partition; how many.

    Args:
        address: The broker's.
        topic: Where to.
        first_run: The number of the first run.
        pace: Runs a second, and for how many seconds.
    """
    runs_per_second, seconds = pace
    producer = AIOKafkaProducer(bootstrap_servers=address, max_batch_size=_BATCH_BYTES)
    await producer.start()
    deliveries: list[asyncio.Future[object]] = []
    began, sent = time.monotonic(), 0
    try:
        while (passed := time.monotonic() - began) < seconds:
            due = min(int(passed * runs_per_second), sent + _MOST_AT_ONCE)
            numbers = range(first_run + sent, first_run + due)
            for partition in range(PARTITIONS):
                mine = [n for n in numbers if n % PARTITIONS == partition]
                if mine:
                    batch = _batch(producer, mine)
                    deliveries.append(await producer.send_batch(batch, topic, partition=partition))
            sent = due
            await asyncio.sleep(1 / _TICKS_PER_SECOND)
        await asyncio.gather(*deliveries)
    finally:
        await producer.stop()
    return sent


def _batch(producer: AIOKafkaProducer, numbers: Iterable[int]) -> object:
    """Runs that end now."""
    batch, now_ms, filler = producer.create_batch(), time.time_ns() // 1_000_000, filler_of()
    for number in numbers:
        agent = f"agent-{number % AGENTS:02}"
        value = a_run(number, agent, now_ms, filler)
        if batch.append(key=agent.encode(), value=value, timestamp=now_ms) is None:
            raise RuntimeError("the runs of one tick do not fit a batch")
    return batch

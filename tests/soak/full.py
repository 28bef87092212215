"""`python -m tests.soak.full`: a scrape of as many series as a worker may have at most.

10,000 agents with eight scorers each and two windows. Measured from outside, while runs come in:
how long a scrape takes, how long the pages keep anyone else waiting meanwhile, and whether the
group lost the worker. LIMIT_SECONDS, in the environment, is what a scrape may take.
"""

import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from rich.console import Console

from tests.integration.kafka.apache import ApacheKafka
from tests.integration.kafka.fetching import UnavailableError, fetch_classpath
from tests.integration.kafka.logs import logged
from tests.integration.lab import Lab
from tests.integration.runs import native_run
from tests.integration.stream import Stream
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

LIMIT_SECONDS = float(os.environ.get("LIMIT_SECONDS", "2"))
AGENTS = 10_000
SCORERS = 8
WINDOWS = ("5m", "1h")
SCRAPES = 9
_PER_SECOND = 100
_LOAD_SECONDS = 600.0
_ASK_EVERY_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Scraped:
    """What scrapes have cost."""

    seconds: float
    """Median of a scrape."""
    cpu_seconds: float
    """What the worker's processor time grew by meanwhile, the same on a busy machine."""
    megabytes: float
    waits: tuple[float, ...]
    """Seconds that each question to another page took meanwhile."""
    rebalances: int

    @property
    def is_good(self) -> bool:
        """Whether it took no longer than allowed and the group did not lose the worker."""
        return self.seconds < LIMIT_SECONDS and self.rebalances == 1


def main(folder: Path) -> Scraped:
    """Fill a worker and scrape it."""
    node = ApacheKafka(fetch_classpath(), folder)
    node.start()
    lab = Lab(node.address, "full", folder)
    try:
        lab.configure(
            {
                "agent": "agent-*",
                "windows": list(WINDOWS),
                "scorers": {
                    f"tells-{n}": {"includes": str(n), "threshold": 0.5} for n in range(SCORERS)
                },
            },
            windows={name: {"min_samples": 1} for name in WINDOWS},
        )
        worker = lab.start_worker()
        worker.wait_ready()
        lab.send(native_run(f"run-{n}", f"agent-{n}", f"{n}") for n in range(AGENTS))
        wait_until("all agents have a verdict", lambda: _agents_of(worker) == AGENTS, _LOAD_SECONDS)
        return _scrape(lab, worker)
    finally:
        lab.close()
        node.stop()


def _agents_of(worker: Worker) -> int:
    """How many agents have a verdict; asked of a page that is small."""
    page = worker.get("/api/agents")
    return 0 if page is None else len(page.json()["seen"])


def _scrape(lab: Lab, worker: Worker) -> Scraped:
    sent = 0

    def due(seconds: float) -> Iterator[bytes]:
        nonlocal sent
        while sent < seconds * _PER_SECOND:
            value = native_run(f"more-{sent}", f"agent-{sent % AGENTS}", f"{sent}").value
            sent += 1
            yield value or b""

    stream, size = Stream(lab.address, lab.runs, due), 0
    took, cost = list[float](), list[float]()
    stream.start()
    with _asking(worker) as waits:
        for _ in range(SCRAPES):
            began, used = time.monotonic(), _cpu_seconds(worker)
            page = worker.get("/metrics")
            took.append(time.monotonic() - began)
            cost.append(_cpu_seconds(worker) - used)
            size = 0 if page is None else len(page.content)
    stream.stop()
    rebalances = len(logged(worker, "partitions taken on"))
    seconds, cpu_seconds = map(statistics.median, (took, cost))
    return Scraped(seconds, cpu_seconds, size / 1e6, tuple(waits), rebalances)


def _cpu_seconds(worker: Worker) -> float:
    fields = Path(f"/proc/{worker.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _asking(worker: Worker) -> Iterator[list[float]]:
    """Ask another page again and again: how long each answer took."""
    waits, is_over = list[float](), threading.Event()

    def ask() -> None:
        with httpx.Client(base_url=f"http://{worker.address}", timeout=30) as client:
            while not is_over.wait(_ASK_EVERY_SECONDS):
                began = time.monotonic()
                client.get("/livez")
                waits.append(time.monotonic() - began)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield waits
    finally:
        is_over.set()
        asking.join()


def _print(scraped: Scraped) -> None:
    waits = sorted(scraped.waits)
    p50, p99 = (waits[int(len(waits) * share)] * 1000 for share in (0.5, 0.99))
    for line in (
        f"{AGENTS:,} agents with {SCORERS} scorers and {len(WINDOWS)} windows",
        f"a scrape: {scraped.seconds:.2f} s, {scraped.cpu_seconds:.2f} s of processor time, "
        f"{scraped.megabytes:.0f} MB",
        f"others wait for a page: {p50:.0f} ms, {p99:.0f} ms at p99",
        f"partitions were dealt: {scraped.rebalances} times",
    ):
        Console().print(line, soft_wrap=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="full-") as temporary:
        try:
            found = main(Path(temporary))
        except UnavailableError as reason:
            sys.exit(f"Apache Kafka: {reason}")
    _print(found)
    sys.exit(0 if found.is_good else 1)

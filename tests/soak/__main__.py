"""`python -m tests.soak`: one worker under a steady load for long; fails if anything grows.

MINUTES and RATE (runs a second), in the environment, say for how long and how much.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.integration.fleet import FleetRun, configuration
from tests.integration.kafka.apache import ApacheKafka
from tests.integration.kafka.fetching import UnavailableError, fetch_classpath
from tests.integration.kafka.logs import logged
from tests.integration.lab import Lab
from tests.integration.runs import now_ms
from tests.integration.stream import Stream
from tests.integration.workers import Worker
from tests.soak.watching import Look, complaints, look_at

MINUTES = float(os.environ.get("MINUTES", "20"))
RATE = float(os.environ.get("RATE", "300"))
WINDOWS = ("1m", "3m")
"""So short that they are full long before the end."""
_WARM_UP_SECONDS = 240.0
"""The longest window, and what is packed and freed once panes leave it."""
_LOOK_EVERY_SECONDS = 5.0
_ROWS = 20


class Load:
    """Runs of a fleet that end now, at a steady rate."""

    def __init__(self) -> None:
        """Have sent nothing."""
        self._sent = 0

    def due(self, seconds: float) -> list[bytes]:
        """What is to be sent by now."""
        wanted = int(seconds * RATE)
        values = [FleetRun(number, now_ms()).encoded() for number in range(self._sent, wanted)]
        self._sent = wanted
        return values


def main(folder: Path) -> list[str]:
    """Soak a worker and print how it went; what is to be complained of."""
    node = ApacheKafka(fetch_classpath(), folder)
    node.start()
    lab = Lab(node.address, "soak", folder)
    try:
        lab.configure(
            *({**agent, "windows": list(WINDOWS)} for agent in configuration()),
            windows={name: {"min_samples": 1} for name in WINDOWS},
        )
        worker = lab.start_worker()
        worker.wait_ready()
        stream = Stream(node.address, lab.runs, Load().due)
        stream.start()
        try:
            looks = _watch(worker)
        finally:
            stream.stop()
        warm = [look for look in looks if look.seconds > _WARM_UP_SECONDS] or looks
        found = list(complaints(warm, RATE, len(logged(worker, "partitions taken on"))))
    finally:
        lab.close()
        node.stop()
    _print(looks, found)
    return found


def _watch(worker: Worker) -> list[Look]:
    began, looks = time.monotonic(), list[Look]()
    while time.monotonic() - began < MINUTES * 60:
        looks.append(look_at(worker, began))
        time.sleep(_LOOK_EVERY_SECONDS)
    return looks


def _print(looks: list[Look], found: list[str]) -> None:
    table = Table(title=f"{RATE:.0f} runs/s for {MINUTES:g} minutes")
    for heading in ("minute", "runs", "memory MiB", "open files", "lag", "scrape ms"):
        table.add_column(heading, justify="right")
    for look in looks[:: max(1, len(looks) // _ROWS)]:
        table.add_row(
            f"{look.seconds / 60:.1f}",
            f"{look.runs:,.0f}",
            f"{look.memory_mib:.1f}",
            f"{look.open_files}",
            f"{look.lag:.0f}",
            f"{look.scrape_seconds * 1000:.0f}",
        )
    console = Console()
    console.print(table)
    for complaint in found or ["nothing has grown"]:
        console.print(complaint)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="soak-") as temporary:
        try:
            complained = main(Path(temporary))
        except UnavailableError as reason:
            sys.exit(f"Apache Kafka: {reason}")
    sys.exit(1 if complained else 0)

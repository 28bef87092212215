"""`python -m tests.benchmarks`: runs a second of the worker and of its peers, side by side."""

import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from live_scoring.adapters.embedded_broker import start_broker
from live_scoring.core.score import Source
from tests.benchmarks.contest import Contender, Contest
from tests.benchmarks.workload import made_runs, plan_of, scores_of, write_config

ROUNDS = 3
MANY, FEW = 60_000, 3_000

PEERS_PYTHON = Path(".venv-peers/bin/python")
"""An environment for peers that want other versions of our dependencies; `make bench` makes it."""
WORKER = Contender("live-scoring worker", None, MANY)
PEERS = (
    Contender("aiokafka, a send a score", "tests.benchmarks.per_record", MANY),
    Contender("Quix Streams", "tests.benchmarks.quix", MANY, str(PEERS_PYTHON)),
    Contender("Faust agent", "tests.benchmarks.faust_agent", FEW),
)


def main() -> None:
    """Measure in alternating rounds and print the medians."""
    console = Console()
    present = [peer for peer in PEERS if Path(peer.python).exists()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with start_broker(folder / "broker.log") as broker:
            contest = Contest(broker.address, folder)
            contest.prepare({c.runs for c in (WORKER, *present)})
            candidates: dict[str, Callable[[int], float]] = {
                c.name: partial(contest.measure, c) for c in (WORKER, *present)
            }
            candidates["scoring alone, no Kafka"] = partial(_scoring_alone, folder)
            rates = _play(candidates, console)
    console.print(_table(rates))
    for peer in PEERS:
        if peer not in present:
            console.print(f"{peer.name}: left out, {peer.python} is not there")
    console.print(
        f"{platform.platform()}, {os.cpu_count()} cores, Python {sys.version.split()[0]}, "
        f"medians of {ROUNDS} alternating rounds"
    )


def _play(
    candidates: dict[str, Callable[[int], float]], console: Console
) -> dict[str, list[float]]:
    rates: dict[str, list[float]] = {name: [] for name in candidates}
    for number in range(ROUNDS):
        for name, measure in candidates.items():
            rates[name].append(measure(number))
            console.print(f"round {number + 1}: {name}: {rates[name][-1]:,.0f} runs/s")
    return rates


def _scoring_alone(folder: Path, number: int) -> float:
    config = folder / f"alone-{number}"
    write_config(config, "localhost:9092", "runs", "scores", "alone")
    plan, source = plan_of(config), Source("", 0, 0, 0)
    values = [value for _, value in made_runs(MANY)]
    started = time.perf_counter()
    for value in values:
        scores_of(value, source, plan)
    return MANY / (time.perf_counter() - started)


def _table(rates: dict[str, list[float]]) -> Table:
    own = statistics.median(rates[WORKER.name])
    table = Table("contender", "runs/s", "lowest", "highest", "worker is … times as fast")
    for name, measured in rates.items():
        median = statistics.median(measured)
        figures = (median, min(measured), max(measured))
        table.add_row(name, *(f"{figure:,.0f}" for figure in figures), f"{own / median:.2f}")
    return table


if __name__ == "__main__":
    main()

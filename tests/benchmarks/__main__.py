"""`python -m tests.benchmarks [FILE]`: runs a second of the worker and of its peers, side by side.

FILE is given the figures as JSON. ROUNDS and RUNS, in the environment, say how much is measured.
"""

import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console

from live_scoring.adapters.embedded_broker import start_broker
from tests.benchmarks import checks_alone, latency, scoring_alone, window_engine
from tests.benchmarks.contest import Contest
from tests.benchmarks.figures import Figures, median_of
from tests.benchmarks.report import Report, print_report, write_json
from tests.benchmarks.rows import (
    LARGE_KIB,
    NODE_MODULES,
    absent,
    contenders,
    cpu_ratios_of,
    ratios_of,
    reference_absent,
)
from tests.benchmarks.workload import KIB_OF_A_RUN, SCORERS

ROUNDS = int(os.environ.get("ROUNDS", "3"))
RUNS = int(os.environ.get("RUNS", "30000"))


def main(json_file: Path | None) -> None:
    """Measure in alternating rounds, print the medians and keep them."""
    console = Console()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with start_broker(folder / "broker.log") as broker:
            report = _measure(Contest(broker.address, folder), console)
    print_report(report, console)
    if json_file is not None:
        write_json(report, json_file)


def _measure(contest: Contest, console: Console) -> Report:
    entrants = list(contenders(RUNS))
    left_out = {c.name: reason for c in entrants if (reason := absent(c))}
    checks = _checks(left_out)  # what may be missing first, not after ten minutes
    present = [c for c in entrants if c.name not in left_out]
    contest.prepare({c.runs for c in present})
    candidates: dict[str, Callable[[int], Figures]] = {
        c.name: partial(contest.measure, c) for c in present
    }
    for suffix, kib in (("", KIB_OF_A_RUN), (f"_{LARGE_KIB}kb", LARGE_KIB)):
        load = scoring_alone.Load(RUNS // 4, kib)
        candidates[f"scoring_alone{suffix}"] = partial(_alone, contest.folder, load)
    rows = _play(candidates, console) | checks
    more = latency.measure(contest.address, contest.folder, rows["whole"].runs_per_s / 3)
    rows["window_engine"] = window_engine.measure()
    more["million_runs_peak_mb"] = rows["window_engine"].peak_mb or 0.0
    more["window_engine_scores_per_s"] = rows["window_engine"].runs_per_s * SCORERS
    return Report(rows, ratios_of(rows), cpu_ratios_of(rows), more, left_out, ROUNDS)


def _alone(folder: Path, load: scoring_alone.Load, number: int) -> Figures:
    return scoring_alone.measure(folder, load, f"{load.kib}-{number}")


def _play(candidates: dict[str, Callable[[int], Figures]], console: Console) -> dict[str, Figures]:
    measured: defaultdict[str, list[Figures]] = defaultdict(list)
    for number in range(ROUNDS):
        for name, measure in candidates.items():
            figures = measure(number)
            measured[name].append(figures)
            console.print(f"round {number + 1}: {name}: {figures.runs_per_s:,.0f} runs/s")
    return {name: median_of(rounds) for name, rounds in measured.items()}


def _checks(left_out: dict[str, str]) -> dict[str, Figures]:
    rows = checks_alone.measure_ours()
    if reason := reference_absent():
        left_out["checks in JavaScript"] = reason
        return rows
    theirs = checks_alone.measure_theirs(NODE_MODULES)
    return rows | {f"{name}_in_javascript": figures for name, figures in theirs.items()}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else None)

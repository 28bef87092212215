"""A row: windows alone, a million runs of eight scores in them, in a process of their own."""

import json
import subprocess
import sys
import time
from dataclasses import asdict

from live_scoring.core.window import AgentWindows, WindowSpec
from tests.benchmarks.figures import Figures
from tests.benchmarks.watch import peak_mb
from tests.benchmarks.workload import AGENTS, SCORERS

RUNS = 1_000_000
_HOUR_MS = 3_600_000
_RUNS_A_TURN = 1_000


def measure() -> Figures:
    """Count a million runs; the figures are of runs, each of eight scores."""
    command = [sys.executable, "-m", "tests.benchmarks.window_engine"]
    told = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    return Figures(**json.loads(told.stdout))


def main() -> None:
    """Fill the windows of twelve agents in order of time, and print the figures."""
    scorers = [f"scorer-{number}" for number in range(SCORERS)]
    specs = [WindowSpec("5m", 300_000), WindowSpec("1h", _HOUR_MS)]
    windows = [AgentWindows(specs, scorers, _HOUR_MS) for _ in range(AGENTS)]
    began, used = time.perf_counter(), time.process_time()
    for run in range(RUNS):
        at_ms = _HOUR_MS + run * _HOUR_MS // (RUNS + 1)
        agent = windows[run % AGENTS]
        for scorer in scorers:
            agent.add(f"run-{run}", scorer, at_ms, 1.0)
        if run % _RUNS_A_TURN == 0:
            for every in windows:
                every.advance(at_ms)
    took, cpu = time.perf_counter() - began, time.process_time() - used
    figures = Figures(RUNS / took, cpu / RUNS * 1e6, peak_mb())
    sys.stdout.write(json.dumps(asdict(figures)))


if __name__ == "__main__":
    main()

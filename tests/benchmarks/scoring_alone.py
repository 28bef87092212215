"""A row: decoding, scoring and encoding in one process, without Kafka."""

import time
from dataclasses import dataclass
from pathlib import Path

from live_scoring.core.score import Source
from tests.benchmarks.figures import Figures
from tests.benchmarks.workload import (
    AGENTS,
    KIB_OF_A_RUN,
    SCORERS,
    made_runs,
    plan_of,
    scores_of,
    write_config,
)


@dataclass(frozen=True, slots=True)
class Load:
    """What is to be scored."""

    runs: int
    kib: float = KIB_OF_A_RUN
    agents: int = AGENTS
    scorers: int = SCORERS


def measure(folder: Path, load: Load, name: str) -> Figures:
    """Score a load by a configuration of its own."""
    config = folder / f"alone-{name}"
    write_config(config, "localhost:9092", ("runs", "scores", "alone"), load.scorers)
    plan, source = plan_of(config), Source("", 0, 0, 0)
    values = [value for _, value in made_runs(load.runs, load.kib, load.agents)]
    began, used = time.perf_counter(), time.process_time()
    for value in values:
        scores_of(value, source, plan)
    took, cpu = time.perf_counter() - began, time.process_time() - used
    return Figures(load.runs / took, cpu / load.runs * 1e6)

"""A row: decoding, scoring and encoding in one process, without Kafka."""

import time
from pathlib import Path

from live_scoring.core.score import Source
from tests.benchmarks.figures import Figures
from tests.benchmarks.workload import made_runs, plan_of, scores_of, write_config


def measure(folder: Path, count: int, kib: float, number: int) -> Figures:
    """Score so many runs of so many KiB."""
    config = folder / f"alone-{kib}-{number}"
    write_config(config, "localhost:9092", ("runs", "scores", "alone"))
    plan, source = plan_of(config), Source("", 0, 0, 0)
    values = [value for _, value in made_runs(count, kib)]
    began, used = time.perf_counter(), time.process_time()
    for value in values:
        scores_of(value, source, plan)
    took, cpu = time.perf_counter() - began, time.process_time() - used
    return Figures(count / took, cpu / count * 1e6)

"""A row: decoding, scoring and encoding in batches as the worker does, without Kafka."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from live_scoring.core.batch import RUNS_OF_A_BATCH, Batch
from live_scoring.core.pipeline import Plan
from live_scoring.core.score import Source
from live_scoring.formats.score_json import encode_scores
from tests.benchmarks.figures import Figures
from tests.benchmarks.workload import (
    AGENTS,
    KIB_OF_A_RUN,
    SCORERS,
    made_runs,
    plan_of,
    run_of,
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
    for first in range(0, len(values), RUNS_OF_A_BATCH):
        _score(values[first : first + RUNS_OF_A_BATCH], source, plan)
    took, cpu = time.perf_counter() - began, time.process_time() - used
    return Figures(load.runs / took, cpu / load.runs * 1e6)


def _score(values: Sequence[bytes], source: Source, plan: Plan) -> None:
    batch = Batch([(run_of(value), source) for value in values], plan, time.time_ns() // 1_000_000)
    for _ in batch.steps():
        pass
    for outcome in batch.outcomes():
        if outcome.scores:
            encode_scores(outcome.scores)

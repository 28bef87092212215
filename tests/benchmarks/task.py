"""What a contender is to do, as it is told on its command line."""

import sys
from pathlib import Path
from typing import NamedTuple, Self

from tests.benchmarks.workload import PARTITIONS


class Task(NamedTuple):
    """Read a topic of runs, write what comes of it to another; go on for ever."""

    address: str
    runs: str
    scores: str
    group: str
    config: str
    """The folder of a configuration."""
    run_count: int
    """How many runs there are."""
    passes: int
    """How often one that only reads is to read them; 0 for one that scores."""

    @classmethod
    def from_argv(cls) -> Self:
        """The task of this process."""
        address, runs, scores, group, config, run_count, passes = sys.argv[1:]
        return cls(address, runs, scores, group, config, int(run_count), int(passes))

    @property
    def folder(self) -> Path:
        """The folder of the configuration."""
        return Path(self.config)

    def end_of(self, partition: int) -> int:
        """How many runs a partition holds, which were dealt out in turn."""
        return len(range(partition, self.run_count, PARTITIONS))

    def first_of(self, partition: int) -> int:
        """Where one that reads again and again is to begin.

        In each partition elsewhere, so that they do not end together: a fetch of nothing waits.
        """
        return self.end_of(partition) * partition // PARTITIONS

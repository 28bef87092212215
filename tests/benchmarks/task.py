"""What a contender is to do, as it is told on its command line."""

import sys
from pathlib import Path
from typing import NamedTuple, Self


class Task(NamedTuple):
    """Read a topic of runs, write what comes of it to another; go on for ever."""

    address: str
    runs: str
    scores: str
    group: str
    config: str
    """The folder of a configuration."""
    run_count: str
    """How many runs there are."""

    @classmethod
    def from_argv(cls) -> Self:
        """The task of this process."""
        return cls(*sys.argv[1:])

    @property
    def folder(self) -> Path:
        """The folder of the configuration."""
        return Path(self.config)

"""The ratio decision: which runs a scorer sees, as a pure function of the run."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from live_scoring.core.run import AgentRun, to_utf8


@dataclass(frozen=True, slots=True)
class Sampling:
    """The share of runs that a scorer sees."""

    rate: float = 1.0
    """0..1; 1 is every run."""
    independent: bool = False
    """Draw apart from other scorers of the same rate."""
    always_on_error: bool = False
    """Score a run with a failed tool or an error whatever the rate."""


ALWAYS = Sampling()


@lru_cache(4_096)  # scorers ask for the same, each about a whole batch of runs
def draw(key: str) -> float:
    """The number in [0, 1) that belongs to a key: 48 bits of its SHA-256, as Mastra draws it."""
    return int.from_bytes(hashlib.sha256(to_utf8(key)).digest()[:6], "big") / 2**48


def rate_for(sampling: Sampling, run: AgentRun) -> float:
    """The share of runs like this one that the scorer sees: of failed ones perhaps all."""
    return 1.0 if sampling.always_on_error and run.has_failed else sampling.rate


def is_sampled(sampling: Sampling, run: AgentRun, scorer: str) -> bool:
    """Whether the scorer sees the run; a higher rate keeps every run of a lower one."""
    rate = rate_for(sampling, run)
    return rate >= 1.0 or draw(draw_key(sampling, run, scorer)) < rate


def draw_key(sampling: Sampling, run: AgentRun, scorer: str) -> str:
    """What a run is drawn by: its trace or its id, apart for each scorer where that is asked."""
    key = run.trace_id or run.run_id
    return f"{scorer}\0{key}" if sampling.independent else key

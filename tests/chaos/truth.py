"""What must have come of a round, computed from nothing but the records of its runs topic."""

from dataclasses import dataclass

from tests.chaos.traffic import Traffic
from tests.integration.lab import Lab
from tests.offline_model import ScoreFact

Place = tuple[int, int]
"""Partition and offset."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What the log says."""

    records: int
    facts: tuple[ScoreFact, ...]
    """Of each run once."""
    malformed: frozenset[Place]
    """Where the records stand that are no runs."""
    unlogged: int
    """Records that brokers confirmed and do not have."""


def truth_of(lab: Lab, traffic: Traffic) -> Truth:
    """Read the runs topic whole."""
    log = lab.read(lab.runs)
    runs = {run.number: run for r in log if (run := traffic.runs.get(r.value))}
    return Truth(
        records=len(log),
        facts=tuple(fact for run in runs.values() for fact in run.facts()),
        malformed=frozenset((r.partition, r.offset) for r in log if r.value not in traffic.runs),
        unlogged=len(traffic.confirmed - {r.value for r in log}),
    )

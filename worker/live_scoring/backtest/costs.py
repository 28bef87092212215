"""What a sampling rate costs: how many scores of the same runs it would write."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from live_scoring.core.run import AgentRun
from live_scoring.core.sampling import Sampling, is_sampled
from live_scoring.core.scoring import Scorer

RATES = (1.0, 0.5, 0.1, 0.01)
"""What is compared with the configured rate."""


@dataclass(frozen=True, slots=True)
class ScorerCost:
    """One scorer of one agent and group."""

    scorer: str
    sampling: Sampling
    """As configured."""
    scores: int
    """Drawn at the configured rate; each is a record, whatever it says."""
    at_rates: Mapping[float, int]
    """Drawn at each of `RATES`, all else equal."""


class Costs:
    """Those of one agent and group under one policy."""

    def __init__(self) -> None:
        """Start with no run."""
        self._samplings: dict[str, tuple[Sampling, ...]] = {}
        """By scorer: as configured, and at each of `RATES`."""
        self._drawn: dict[str, list[int]] = {}
        """By scorer the runs that each of these drew."""

    def count(self, run: AgentRun, scorer: Scorer) -> None:
        """Count a run that the scorer asks for; a repeated one is scored again, and counts."""
        name = scorer.name
        if name not in self._samplings:
            others = (replace(scorer.sampling, rate=rate) for rate in RATES)
            self._samplings[name] = (scorer.sampling, *others)
            self._drawn[name] = [0] * (1 + len(RATES))
        drawn = self._drawn[name]
        for place, sampling in enumerate(self._samplings[name]):
            drawn[place] += is_sampled(sampling, run, name)

    def conclude(self, scorers: Iterable[Scorer]) -> tuple[ScorerCost, ...]:
        """Those of these scorers that asked for any run, in their order."""
        return tuple(self._cost(s.name) for s in scorers if s.name in self._drawn)

    def _cost(self, name: str) -> ScorerCost:
        scores, *others = self._drawn[name]
        at_rates = dict(zip(RATES, others, strict=True))
        return ScorerCost(name, self._samplings[name][0], scores, at_rates)

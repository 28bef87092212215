"""What a sampling rate costs: how many scores of the same runs it would write."""

from collections import Counter
from collections.abc import Mapping
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
        self._samplings: dict[str, Sampling] = {}
        self._drawn: Counter[tuple[str, float | None]] = Counter()

    def count(self, run: AgentRun, scorer: Scorer) -> None:
        """Count a run that the scorer asks for; a repeated one is scored again, and counts."""
        self._samplings[scorer.name] = scorer.sampling
        self._drawn[scorer.name, None] += is_sampled(scorer.sampling, run, scorer.name)
        for rate in RATES:
            sampling = replace(scorer.sampling, rate=rate)
            self._drawn[scorer.name, rate] += is_sampled(sampling, run, scorer.name)

    def conclude(self) -> tuple[ScorerCost, ...]:
        """By scorer, in the order of the configuration."""
        return tuple(
            ScorerCost(
                name,
                sampling,
                self._drawn[name, None],
                {rate: self._drawn[name, rate] for rate in RATES},
            )
            for name, sampling in self._samplings.items()
        )

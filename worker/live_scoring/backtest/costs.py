"""What a sampling rate costs: how many scores of the same runs it would write."""

from collections import Counter
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
        self._at_rates: dict[str, tuple[Sampling, ...]] = {}
        self._drawn: Counter[tuple[str, Sampling]] = Counter()

    def count(self, run: AgentRun, scorer: Scorer) -> None:
        """Count a run that the scorer asks for; a repeated one is scored again, and counts."""
        name, asked = scorer.name, scorer.sampling
        if name not in self._at_rates:
            self._at_rates[name] = tuple(replace(asked, rate=rate) for rate in RATES)
        for sampling in {asked, *self._at_rates[name]}:
            self._drawn[name, sampling] += is_sampled(sampling, run, name)

    def conclude(self, scorers: Iterable[Scorer]) -> tuple[ScorerCost, ...]:
        """Those of these scorers that asked for any run, in their order."""
        return tuple(
            ScorerCost(
                scorer.name,
                scorer.sampling,
                self._drawn[scorer.name, scorer.sampling],
                {s.rate: self._drawn[scorer.name, s] for s in self._at_rates[scorer.name]},
            )
            for scorer in scorers
            if scorer.name in self._at_rates
        )

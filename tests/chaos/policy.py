"""What the agents are judged by, which a reload changes."""

from dataclasses import replace

from live_scoring.core.verdict import Rule, Threshold
from tests.integration.fleet import RULES, configuration
from tests.integration.lab import Lab

WINDOWS = {"1h": 3_600_000, "6h": 21_600_000}
"""Lengths in milliseconds."""
_BOUNDS = (0.6, 0.9)


class Policy:
    """The configuration of a round."""

    def __init__(self) -> None:
        """Begin with the usual bounds."""
        self._turns = 0

    @property
    def _bound(self) -> float:
        return _BOUNDS[self._turns % len(_BOUNDS)]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What every agent is judged by now."""
        return tuple(
            replace(rule, min=self._bound)
            if isinstance(rule, Threshold) and rule.name == "has-bc"
            else rule
            for rule in RULES
        )

    def change(self) -> None:
        """Move a bound, there and back: verdicts change and windows do not."""
        self._turns += 1

    def write(self, lab: Lab) -> None:
        """Write it for the workers to read."""
        agents = []
        for agent in configuration():
            scorers = {**agent["scorers"], "has-bc": {"includes": "bc", "threshold": self._bound}}
            agents.append({**agent, "windows": list(WINDOWS), "scorers": scorers})
        lab.configure(*agents, windows={name: {"min_samples": 1} for name in WINDOWS})

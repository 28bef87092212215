"""Everything as one window: no run is too old, and few are enough."""

from collections.abc import Mapping
from dataclasses import replace

from live_scoring.core.ledger import Ledger, run_key
from live_scoring.core.pipeline import AgentPlan
from live_scoring.core.score import Score
from live_scoring.core.verdict import Verdict, judge
from live_scoring.core.window import Tally

_PANE = 0
_RUN = 1


class WholeWindow:
    """All scores of one agent and group, each (run, scorer) counted once, the first."""

    def __init__(self, agent: AgentPlan) -> None:
        """Start empty."""
        self.runs = 0
        """Runs that entered, each once."""
        self._rules = tuple(replace(rule, min_samples=None) for rule in agent.rules)
        self._bits = {s.name: _RUN << place for place, s in enumerate(agent.scorers, start=1)}
        self._tallies: dict[str, Tally] = {}
        self._ledger = Ledger()

    @property
    def tallies(self) -> Mapping[str, Tally]:
        """What was counted, by scorer."""
        return self._tallies

    def enter(self, run_id: str) -> bool:
        """Note a run, scored or not; False if it was noted before."""
        is_new = self._ledger.add(_PANE, run_key(run_id), _RUN)
        self.runs += is_new
        return is_new

    def add(self, score: Score) -> bool:
        """Count how a scorer ended on a run; False if that was counted before."""
        if not self._ledger.add(_PANE, run_key(score.run_id), self._bits[score.scorer]):
            return False
        if score.outcome != "not_applicable":
            self._tallies.setdefault(score.scorer, Tally()).count(score.score)
        return True

    def judge(self) -> Verdict | None:
        """Judge it, whatever `min_samples` the rules have; None without a rule."""
        return judge(self._tallies, self._rules)

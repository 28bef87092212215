"""Windows over a bounded stretch of the past: all panes are filled first, then their ends swept."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Literal

from live_scoring.core.ledger import Ledger, run_key
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.score import Score
from live_scoring.core.verdict import Verdict, judge
from live_scoring.core.window import PANES, Tally, WindowSpec

_PACK_EVERY = 1 << 18
"""Scores after which the ledgers are packed: what is open takes ten times the room."""
_FIELDS = 4
"""Numbers of a tally in a row."""

Added = Literal["counted", "duplicate", "stale_scorer"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """What a window said at a row of pane ends, because nothing entered or left between them."""

    first_ms: int
    """The first of these ends: the last millisecond of a pane, since the epoch."""
    ends: int
    """How many there are, each a pane after the other; at least 1."""
    tallies: Mapping[str, Tally]
    """By scorer, of those that the window holds anything of."""
    verdict: Verdict | None
    """None without gates and thresholds."""


@dataclass(frozen=True, slots=True)
class WindowHistory:
    """One window of one agent and group over a range."""

    agent_id: str
    group: str
    plan: AgentPlan
    window: WindowSpec
    before: Verdict | None
    """What it said at the pane end before the range; without earlier scores that is no_data."""
    stretches: Iterator[Stretch]
    """In order, without a gap, from the range's first pane end to its last; to be read once."""


class Timeline:
    """Scores in any order, each (run, scorer) of an agent counted once, as live windows do.

    Nothing is late. Of several scores for one (run, scorer) the first added counts; they differ
    only where a scorer is not a pure function of the run. A run takes some 16 bytes, beside what
    a pane takes in which any score lies: some 100 bytes and 32 for each scorer.
    """

    def __init__(self, plan: Plan) -> None:
        """Start empty.

        Args:
            plan: What agents are judged by; scores of other agents or fingerprints do not count.
        """
        self._plan = plan
        self._agents: dict[tuple[str, str], _Agent] = {}
        self._first_ms: int | None = None
        self._last_ms: int | None = None
        self._unpacked = 0

    def add(self, score: Score) -> Added:
        """Count a score, or say why not: repeated, or of a scorer that the plan does not have."""
        key = (score.agent_id, score.group)
        agent = self._agents.get(key)
        if agent is None:
            plan = self._plan.find(score.agent_id)
            if plan is None or not plan.scorers:
                return "stale_scorer"
            agent = self._agents[key] = _Agent(plan)
        added = agent.add(score)
        if added == "counted":
            self._extend(score.run_timestamp_ms)
        return added

    def _extend(self, at_ms: int) -> None:
        self._first_ms = at_ms if self._first_ms is None else min(self._first_ms, at_ms)
        self._last_ms = at_ms if self._last_ms is None else max(self._last_ms, at_ms)
        self._unpacked += 1
        if self._unpacked == _PACK_EVERY:
            self._unpacked = 0
            for agent in self._agents.values():
                agent.pack()

    def sweep(
        self, from_ms: int | None = None, to_ms: int | None = None
    ) -> Iterator[WindowHistory]:
        """Every window of every agent and group with a score, in order, at every pane's end.

        The costs are those of panes that hold a score, however long the range.

        Args:
            from_ms: A moment in the first pane, since the epoch; None is the first score's.
            to_ms: A moment in the last pane; None is the last score's.
        """
        first_ms = self._first_ms if from_ms is None else from_ms
        last_ms = self._last_ms if to_ms is None else to_ms
        if first_ms is None or last_ms is None:
            return
        for (agent_id, group), agent in sorted(self._agents.items()):
            for window in agent.plan.windows:
                before_ms = first_ms - window.pane_ms
                before = next(agent.sweep(window, before_ms, before_ms)).verdict
                stretches = agent.sweep(window, first_ms, last_ms)
                yield WindowHistory(agent_id, group, agent.plan, window, before, stretches)


class _Agent:
    """The panes of one agent and group, as fine as all of its windows need."""

    def __init__(self, plan: AgentPlan) -> None:
        self.plan = plan
        self._places = {scorer.name: place for place, scorer in enumerate(plan.scorers)}
        self._fingerprints = {scorer.name: scorer.fingerprint for scorer in plan.scorers}
        self._grain_ms = gcd(*(window.pane_ms for window in plan.windows))
        # As in a live window, so that the same repeats are seen.
        self._ledger_ms = max(window.pane_ms for window in plan.windows)
        self._ledger = Ledger()
        self._rows: dict[int, array[int]] = {}

    def add(self, score: Score) -> Added:
        if self._fingerprints.get(score.scorer) != score.fingerprint:
            return "stale_scorer"
        place, at_ms = self._places[score.scorer], score.run_timestamp_ms
        if not self._ledger.add(at_ms // self._ledger_ms, run_key(score.run_id), 1 << place):
            return "duplicate"
        if score.outcome != "not_applicable":
            self._count(at_ms // self._grain_ms, place * _FIELDS, score.score)
        return "counted"

    def _count(self, grain: int, at: int, score: float | None) -> None:
        row = self._rows.get(grain)
        if row is None:
            row = self._rows[grain] = array("q", bytes(8 * _FIELDS * len(self._places)))
        tally = Tally()
        tally.count(score)
        row[at] += tally.scored
        row[at + 1] += tally.full
        row[at + 2] += tally.total
        row[at + 3] += tally.errors

    def pack(self) -> None:
        self._ledger.pack()

    def sweep(self, window: WindowSpec, first_ms: int, last_ms: int) -> Iterator[Stretch]:
        """Move the window's edge from change to change."""
        pane_ms = window.pane_ms
        edge, stop = first_ms // pane_ms, last_ms // pane_ms + 1
        grains = sorted(self._rows)
        panes = [grain * self._grain_ms // pane_ms for grain in grains]
        totals = [0] * (_FIELDS * len(self._places))
        tail = head = bisect_left(panes, edge - PANES + 1)
        while edge < stop:
            entered = bisect_left(panes, edge + 1, head)
            left = bisect_left(panes, edge - PANES + 1, tail, entered)
            for grain in grains[head:entered]:
                totals = [a + b for a, b in zip(totals, self._rows[grain], strict=True)]
            for grain in grains[tail:left]:
                totals = [a - b for a, b in zip(totals, self._rows[grain], strict=True)]
            head, tail = entered, left
            upcoming = panes[head] if head < len(panes) else stop
            leaving = panes[tail] + PANES if tail < head else stop
            after = min(upcoming, leaving, stop)
            yield self._stretch(window, edge, after, totals)
            edge = after

    def _stretch(self, window: WindowSpec, edge: int, after: int, totals: Sequence[int]) -> Stretch:
        tallies = dict(self._tallies(totals))
        verdict = judge(tallies, self.plan.rules, window.min_samples)
        return Stretch((edge + 1) * window.pane_ms - 1, after - edge, tallies, verdict)

    def _tallies(self, totals: Sequence[int]) -> Iterator[tuple[str, Tally]]:
        for name, place in self._places.items():
            at = place * _FIELDS
            tally = Tally(*totals[at : at + _FIELDS])
            if tally.scored or tally.errors:
                yield name, tally

"""What a partition's scores have added to its panes since panes were last written."""

from collections.abc import Iterator

from live_scoring.adapters.kafka import ConsumerRecord
from live_scoring.core.pane import RUNS, AgentPanes, Ignored, PaneDraft, Sheet, Stretch
from live_scoring.core.pipeline import SKEW_LIMIT_MS, AgentPlan
from live_scoring.core.score import Score
from live_scoring.live.tracked import Admitted

_IGNORED = 10_000
"""Scorers whose scores were left out, at most; with more it is no use to go on."""
_PER_AGENT = 100
"""Scores of an agent that its panes are worth being written for."""

Key = tuple[str, str]
"""Agent id and group."""


class Draft:
    """One stretch of a partition's scores, which grows record by record.

    What a plan or a cap keeps from the windows is missing in the panes too. What the plan keeps
    is named in them, as another plan may ask for it; what a cap keeps ends the draft for good.
    """

    def __init__(self, first_offset: int, writer: str) -> None:
        """Start with no record.

        Args:
            first_offset: Of the record that comes next.
            writer: Tells two workers apart.
        """
        self._first_offset = self._next_offset = first_offset
        self._begins_ms = self._ends_ms = 0
        self._writer = writer
        self._ignored: set[Ignored] = set()
        self._panes: dict[Key, tuple[AgentPlan, PaneDraft]] = {}
        self.tries = 0
        """How often it was tried to write it."""
        self.is_broken = False
        """Whether windows lack what a restart might count."""

    def __len__(self) -> int:
        """How many records it covers."""
        return self._next_offset - self._first_offset

    def is_due(self, scores: int) -> bool:
        """Whether to do something about it, at that many scores or more if many agents share."""
        return self.is_broken or len(self) >= max(scores, _PER_AGENT * len(self._panes))

    def pass_by(self, record: ConsumerRecord) -> None:
        """Cover a record."""
        if self._first_offset == self._next_offset:
            self._begins_ms = record.timestamp
        self._next_offset = record.offset + 1
        self._ends_ms = record.timestamp

    def take(self, score: Score, key: Key, plan: AgentPlan) -> None:
        """Take a score of the record last passed, which was counted by the agent's plan."""
        known = self._panes.get(key)
        if known is None:
            names = [scorer.name for scorer in plan.scorers]
            known = self._panes[key] = plan, PaneDraft(plan.windows, names)
        if score.outcome == "not_applicable":
            known[1].mark(score.run_id, score.scorer, score.run_timestamp_ms)
        else:
            known[1].add(score.run_id, score.scorer, score.run_timestamp_ms, score.score)

    def pass_over(self, score: Score, admitted: Admitted | None) -> None:
        """Take notice of a score of the record last passed, which was not counted."""
        if admitted is None:
            self.is_broken = True
        elif admitted == "stale_scorer":
            self._ignored.add((score.agent_id, score.scorer, score.fingerprint))
            self.is_broken |= len(self._ignored) > _IGNORED

    def sheets(self, now_ms: int) -> Iterator[Sheet | None]:
        """The stretch so far as sheets, with a None wherever the event loop may have its turn."""
        stretch = Stretch(
            self._first_offset,
            self._next_offset,
            self._begins_ms,
            self._ends_ms,
            self._writer,
            tuple(sorted(self._ignored)),
        )
        number, weight, agents = 0, 0, list[AgentPanes]()
        for agent in self._agents(now_ms - SKEW_LIMIT_MS):
            yield None
            agents.append(agent)
            weight += agent.weight
            if weight >= RUNS:
                yield Sheet(stretch, number, is_last=False, agents=tuple(agents))
                number, weight, agents = number + 1, 0, []
        yield Sheet(stretch, number, is_last=True, agents=tuple(agents))

    def _agents(self, now_ms: int) -> Iterator[AgentPanes]:
        for (agent_id, group), (plan, draft) in self._panes.items():
            windows = tuple(window.length_ms for window in plan.windows)
            scorers = tuple((scorer.name, scorer.fingerprint) for scorer in plan.scorers)
            for pane in draft.panes(now_ms):
                yield AgentPanes(agent_id, group, windows, scorers, (pane,))

    def after(self) -> "Draft":
        """The draft that goes on where this one ends."""
        return Draft(self._next_offset, self._writer)

"""What this worker may speak for: the agents of its scores partitions, and their verdicts.

The board does no I/O. The verdict loop feeds it scores, asks it every second what has changed,
and tells it what was published.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from live_scoring.core.pane import AgentPanes
from live_scoring.core.pipeline import SKEW_LIMIT_MS, Plan
from live_scoring.core.score import Score
from live_scoring.core.transition import Transition, WindowReport
from live_scoring.live.draft import Draft, Key
from live_scoring.live.tracked import Admitted, TrackedAgent, is_recent


@dataclass(frozen=True, slots=True)
class Caps:
    """What bounds the board."""

    max_agents: int
    """Agents and groups with windows, over all partitions of this worker."""
    max_groups_per_agent: int
    forget_after_ms: int
    """How long an agent that only a glob names is shown without data."""


@dataclass(slots=True)
class Share:
    """One scores partition."""

    next_offset: int
    """Of the score to be counted next."""
    is_truncated: bool = False
    """Whether older records were deleted, so that the log may begin inside a window."""
    begins_at_ms: int | None = None
    """Time of the log's first record if it is truncated."""
    is_rebuilding: bool = True
    awaits_panes: bool = False
    """Whether panes are to be read back before any score is counted."""
    draft: Draft | None = None
    """What its scores have added since panes were last written; None keeps no panes."""
    agents: dict[Key, TrackedAgent] = field(default_factory=dict)


class Board:
    """The shares of one worker."""

    def __init__(
        self, plan: Plan, caps: Caps, partition_of: Callable[[str], int], now_ms: int
    ) -> None:
        """Start owning nothing.

        Args:
            plan: What agents are judged by.
            caps: What bounds the board.
            partition_of: The scores partition of an agent id.
            now_ms: Milliseconds since the epoch.
        """
        self.plan = plan
        self.shares: dict[int, Share] = {}
        self.judged_at_ms = now_ms
        self._reached_ms = now_ms
        """How far windows have moved: they never go back."""
        self._caps = caps
        self._partition_of = partition_of

    def take(self, partition: int, share: Share, standing: Iterable[Transition]) -> None:
        """Own a partition, with the verdicts that stand in the verdicts topic."""
        self.shares[partition] = share
        for key in self._named(partition):
            self._track(share, key)
        for transition in standing:
            self._restore(share, transition)

    def drop(self, partition: int) -> Share | None:
        """Own a partition no more; its agents vanish from every report at once.

        The share keeps its panes. Given back, it has to catch up before it is judged again: what
        came meanwhile, to a paused process for instance, is not in them yet.
        """
        share = self.shares.pop(partition, None)
        if share is not None:
            share.is_rebuilding = True
        return share

    def _named(self, partition: int) -> Iterator[Key]:
        for agent in self.plan.agents:
            is_plain = not agent.is_glob and not agent.split_by
            if is_plain and self._partition_of(agent.pattern) == partition:
                yield agent.pattern, ""

    def _restore(self, share: Share, transition: Transition) -> None:
        is_young = is_recent(transition.at_ms, self.judged_at_ms, self._caps.forget_after_ms)
        key = (transition.agent_id, transition.group)
        tracked = share.agents.get(key)
        if tracked is None and is_young:
            tracked = self._track(share, key)
        if tracked is not None:
            known = tracked.standing.get(transition.window)
            if known is None or known.scores_offset <= transition.scores_offset:
                tracked.standing[transition.window] = transition
                tracked.recheck()

    def _track(self, share: Share, key: Key) -> TrackedAgent | None:
        """The agent's windows, made if its plan asks for them and the caps allow."""
        if key in share.agents:
            return share.agents[key]
        plan = self.plan.find(key[0])
        if plan is None or not plan.scorers or self._is_full(share, key):
            return None
        tracked = share.agents[key] = TrackedAgent(*key, plan, self.judged_at_ms)
        return tracked

    def _is_full(self, share: Share, key: Key) -> bool:
        if sum(len(s.agents) for s in self.shares.values()) >= self._caps.max_agents:
            return True
        groups = sum(agent_id == key[0] for agent_id, _ in share.agents) if key[1] else 0
        return groups >= self._caps.max_groups_per_agent

    def add(self, partition: int, score: Score) -> Admitted | None:
        """Count a score of an owned partition; None where it has no window for lack of room."""
        if score.replay is not None:
            return "replay"
        share, key = self.shares[partition], (score.agent_id, score.group)
        tracked = share.agents.get(key) or self._track(share, key)
        admitted: Admitted | None = "stale_scorer"
        if tracked is not None:
            admitted = tracked.add(score)
        elif self.plan.find(score.agent_id):
            admitted = None
        if share.draft is not None:
            if admitted == "counted" and tracked is not None:
                share.draft.take(score, key, tracked.plan)
            else:
                share.draft.pass_over(score, admitted)
        return admitted

    def include(self, share: Share, panes: AgentPanes) -> None:
        """Count what was counted elsewhere, of an agent and group that has windows here."""
        if tracked := self._track(share, (panes.agent_id, panes.group)):
            tracked.include(panes)

    def judge(self, now_ms: int) -> Iterator[tuple[int, TrackedAgent, Transition]]:
        """Judge what is not being rebuilt; give each change of a verdict, to be published."""
        self.judged_at_ms = now_ms
        self._reached_ms = max(self._reached_ms, now_ms)
        for partition, share in list(self.shares.items()):
            if share.is_rebuilding:
                continue
            for tracked in list(share.agents.values()):
                for change in tracked.judge(now_ms):
                    yield (
                        partition,
                        tracked,
                        Transition(
                            tracked.agent_id,
                            tracked.group,
                            change.window.name,
                            change.verdict,
                            change.previous,
                            now_ms,
                            partition,
                            share.next_offset,
                            self.plan.config_hash,
                            change.examples,
                        ),
                    )

    def has_overtaken(self, now_ms: int) -> bool:
        """Whether a clock that was ahead has moved the windows, and is right again.

        What they have let go can only be counted again. If a run is dated later than now, it is
        now that is wrong: the windows are right, and wait for the clock.
        """
        latest_ms = now_ms + SKEW_LIMIT_MS
        return self._reached_ms > latest_ms and all(
            tracked.last_run_ms <= latest_ms
            for share in self.shares.values()
            for tracked in share.agents.values()
        )

    def turn_back(self, now_ms: int) -> None:
        """Let shares that are taken from now on begin at `now_ms`."""
        self.judged_at_ms = self._reached_ms = now_ms

    def forget(self, now_ms: int) -> Iterator[tuple[int, TrackedAgent]]:
        """Stop tracking agents of globs, and groups, that have long been without data."""
        after_ms = self._caps.forget_after_ms
        for partition, share in self.shares.items():
            named = set(self._named(partition))
            for key, tracked in list(share.agents.items()):
                if key not in named and tracked.is_forgettable(now_ms, after_ms):
                    del share.agents[key]
                    yield partition, tracked

    def reports(self) -> Iterator[WindowReport]:
        """What every window of every owned agent says."""
        for share in list(self.shares.values()):
            for tracked in list(share.agents.values()):
                yield from tracked.reports(is_rebuilding=share.is_rebuilding)

    def judged_agents(self) -> set[str]:
        """Ids of the agents that were judged last time."""
        return {
            agent_id
            for share in self.shares.values()
            if not share.is_rebuilding
            for agent_id, _ in share.agents
        }

    def complete(self) -> Mapping[str, bool]:
        """For each window whether the scores log of every owned partition reaches back so far."""
        begins = max(
            (s.begins_at_ms for s in self.shares.values() if s.begins_at_ms is not None),
            default=None,
        )
        lengths = {w.name: w.length_ms for agent in self.plan.agents for w in agent.windows}
        return {
            name: begins is None or begins <= self.judged_at_ms - length
            for name, length in lengths.items()
        }

    def rebuilding(self) -> Mapping[int, bool]:
        """For each owned partition whether its windows are being rebuilt."""
        return {partition: share.is_rebuilding for partition, share in self.shares.items()}

"""The fleet's last verdicts, whichever worker gave them: the table that the Faust agent keeps."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.score import Failure
from live_scoring.core.transition import Transition
from live_scoring.core.verdict import VerdictState, judge
from live_scoring.core.window import WindowSpec
from live_scoring.formats.verdict_json import decode_verdict, encode_verdict
from live_scoring.live.clock import Clock
from live_scoring.live.turn import Turn

CHANGES = 24
"""How many changes of a window's verdict are kept, newest last."""


@dataclass(frozen=True, slots=True)
class Change:
    """A moment at which a window's verdict changed."""

    at_ms: int
    state: VerdictState


@dataclass(frozen=True, slots=True)
class Standing:
    """The last verdict on one agent, group and window."""

    agent_id: str
    group: str
    window: str
    state: VerdictState
    scores_offset: int
    changes: tuple[Change, ...]
    """The last of them that were seen."""
    before: VerdictState
    """The verdict before the first of `changes`."""
    record: bytes
    """The record as it was published."""


class Fleet:
    """Last verdicts by the keys of their records. A record seen twice does no harm."""

    def __init__(self) -> None:
        """Start knowing nothing."""
        self._standing: dict[bytes, Standing] = {}

    def note(self, key: bytes, record: bytes | None) -> Failure | None:
        """Keep a record of the verdicts topic unless a known one was judged later.

        Args:
            key: The record's key.
            record: Its value; None, a tombstone, forgets the verdict.

        Returns:
            Why the record is no verdict, if it is none.
        """
        if record is None:
            self._standing.pop(key, None)
            return None
        verdict = decode_verdict(record)
        if isinstance(verdict, Failure):
            return verdict
        known = self._standing.get(key)
        if known is None or known.scores_offset <= verdict.scores_offset:
            self._standing[key] = _standing(verdict, record, known)
        return None

    def agents(self) -> list[str]:
        """Ids of the agents with a verdict, sorted."""
        return sorted({standing.agent_id for standing in self._standing.values()})

    async def standing(self, plan: Plan, clock: Clock) -> Sequence[Standing]:
        """The last verdict on every window, by agent, group and window.

        A window of an agent that the plan names exactly and of which nothing was ever heard
        comes last, as one that says `no_data` and never changed.
        """
        known = sorted(self._standing.values(), key=lambda s: (s.agent_id, s.group, s.window))
        heard = {(standing.agent_id, standing.window) for standing in known}
        turn = Turn(clock.monotonic)
        for agent, window in _expected(plan):
            if (agent.pattern, window.name) not in heard:
                known.append(_silent(_silence(agent, window, plan.config_hash, clock.now_ms())))
                await turn.pause()
        return known

    async def records(self, plan: Plan, clock: Clock) -> AsyncIterator[bytes]:
        """The records of `standing`."""
        for standing in await self.standing(plan, clock):
            yield standing.record


def _standing(verdict: Transition, record: bytes, known: Standing | None) -> Standing:
    change = Change(verdict.at_ms, verdict.verdict.state)
    changes: tuple[Change, ...] = (change,)
    before = verdict.previous
    if known is not None:
        is_new = not known.changes or change.at_ms > known.changes[-1].at_ms
        every = (*known.changes, change) if is_new else known.changes
        changes, before = every[-CHANGES:], known.before
        if len(every) > CHANGES:
            before = every[-CHANGES - 1].state
    return Standing(
        verdict.agent_id,
        verdict.group,
        verdict.window,
        verdict.verdict.state,
        verdict.scores_offset,
        changes,
        before,
        record,
    )


def _silent(silence: Transition) -> Standing:
    return Standing(
        silence.agent_id, "", silence.window, "no_data", 0, (), "no_data", encode_verdict(silence)
    )


def _expected(plan: Plan) -> Iterator[tuple[AgentPlan, WindowSpec]]:
    for agent in plan.agents:
        if agent.rules and not agent.is_glob:
            for window in agent.windows:
                yield agent, window


def _silence(agent: AgentPlan, window: WindowSpec, config_hash: str, now_ms: int) -> Transition:
    verdict = judge({}, agent.rules, window.min_samples)
    if verdict is None:
        raise ValueError(f"{agent.pattern} has no rules to judge by")
    return Transition(
        agent_id=agent.pattern,
        group="",
        window=window.name,
        verdict=verdict,
        previous="no_data",
        at_ms=now_ms,
        scores_partition=0,
        scores_offset=0,
        config_hash=config_hash,
    )

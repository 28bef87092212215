"""Asks every run under both policies, each question once."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from live_scoring.adapters.outside import Outside
from live_scoring.backtest.flips import Flips
from live_scoring.backtest.policy import Key, Policy
from live_scoring.core.batch import process
from live_scoring.core.pipeline import AgentPlan, Outcome, OutsideCall, Plan, place
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Score
from live_scoring.core.scoring import Answer, Scorer, score_run
from live_scoring.replay.gathering import Gathered

_CALLS = 500
"""Of scorers that call out, collected before they are asked: memory must not grow with the past."""
_STRANGERS = 1_000
"""Ids of unknown agents that are kept apart, for the same reason."""


@dataclass(slots=True)
class _Asked:
    """A run under way: how it ended under each policy, as far as the answers are there."""

    run: AgentRun
    at_ms: int
    outcomes: tuple[Outcome, ...]
    answers: dict[str, Answer | None] = field(default_factory=dict)
    """Of scorers that call out, by fingerprint: policies that ask alike share an answer."""

    def calls(self) -> Iterator[OutsideCall]:
        """What is to be asked, each question once."""
        calls = (call for outcome in self.outcomes for call in outcome.outside)
        yield from {call.scorer.fingerprint: call for call in calls}.values()

    def scores(self, outcome: Outcome) -> Iterator[Score]:
        yield from outcome.scores
        for call in outcome.outside:
            answer = self.answers[call.scorer.fingerprint]
            if answer is not None:
                yield call.score(answer, self.at_ms)


class Trial:
    """A new policy and perhaps an old one, over the same runs."""

    def __init__(self, plans: Sequence[Plan], from_ms: int | None = None) -> None:
        """Start with no run.

        Args:
            plans: The new policy's and, to compare with, the old one's.
            from_ms: Runs before this moment only fill windows; None is all of them.
        """
        self.policies = tuple(Policy(plan) for plan in plans)
        self.runs: Counter[Key] = Counter()
        """In the range, by agent and group."""
        self.strangers: Counter[str] = Counter()
        """Runs by agents that no policy names, as far as they are kept apart."""
        self.over_budget = 0
        self.flips: defaultdict[Key, Flips] = defaultdict(Flips)
        self.first_ms: int | None = None
        """When the first run of the range ended."""
        self.last_ms: int | None = None
        self._from_ms = from_ms
        self._outside = Outside()
        self._waiting: list[_Asked] = []

    async def take(self, gathered: Gathered) -> Outcome:
        """Ask about a run; scorers that call out are asked some hundred runs at a time.

        Returns:
            What became of it under the new policy.
        """
        run, source = gathered
        answered: dict[str, Answer] = {}

        def answer(scorer: Scorer, run: AgentRun) -> Answer:
            if scorer.fingerprint not in answered:
                answered[scorer.fingerprint] = score_run(scorer, run)
            return answered[scorer.fingerprint]

        at_ms, _ = place(run, source)
        outcomes = tuple(process(run, source, p.plan, at_ms, answer) for p in self.policies)
        asked = _Asked(run, at_ms, outcomes)
        self._note(asked)
        if any(outcome.outside for outcome in outcomes):
            self._waiting.append(asked)
        else:
            self._settle(asked)
        if len(self._waiting) >= _CALLS:
            await self.ask_waiting()
        return outcomes[0]

    async def ask_waiting(self) -> None:
        """Ask what is still to be asked; to be called at the end."""
        waiting, self._waiting = self._waiting, []
        calls = [(asked, call) for asked in waiting for call in asked.calls()]
        asking = (self._outside.ask(call.scorer, call.placed.run) for _, call in calls)
        for (asked, call), answer in zip(calls, await asyncio.gather(*asking), strict=True):
            asked.answers[call.scorer.fingerprint] = answer
            self.over_budget += answer is None
        for asked in waiting:
            self._settle(asked)

    def _is_inside(self, at_ms: int) -> bool:
        return self._from_ms is None or at_ms >= self._from_ms

    def _note(self, asked: _Asked) -> None:
        keys = list(self._keys(asked.run))
        if not any(keys):
            if asked.run.agent_id in self.strangers or len(self.strangers) < _STRANGERS:
                self.strangers[asked.run.agent_id] += 1
            return
        if not self._is_inside(asked.at_ms):
            return
        at_ms = asked.at_ms
        self.first_ms = at_ms if self.first_ms is None else min(self.first_ms, at_ms)
        self.last_ms = at_ms if self.last_ms is None else max(self.last_ms, at_ms)
        self.runs.update({key for key in keys if key})
        for policy, key, outcome in zip(self.policies, keys, asked.outcomes, strict=True):
            if key:
                policy.draw(key, asked.run, outcome)

    def _keys(self, run: AgentRun) -> Iterator[Key | None]:
        """The agent and group of a run under each policy; None where it names no such agent."""
        for policy in self.policies:
            agent = policy.plan.find(run.agent_id)
            yield (run.agent_id, agent.group_of(run)) if agent else None

    def _settle(self, asked: _Asked) -> None:
        is_inside = self._is_inside(asked.at_ms)
        counted = [
            policy.take(tuple(asked.scores(outcome)), is_inside=is_inside)
            for policy, outcome in zip(self.policies, asked.outcomes, strict=True)
        ]
        plans = [policy.plan.find(asked.run.agent_id) for policy in self.policies]
        match plans, counted:
            case [AgentPlan() as plan, AgentPlan() as old_plan], [new, old] if is_inside:
                key = (asked.run.agent_id, plan.group_of(asked.run))
                self.flips[key].compare(new, old, (plan, old_plan))

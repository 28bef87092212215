"""From records of the past to their scores; nothing is written here."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from live_scoring.adapters.outside import Outside
from live_scoring.core.pipeline import OutsideCall, Plan, process
from live_scoring.core.score import Failure, Score
from live_scoring.replay.gathering import Gathered, Gathering, Record
from live_scoring.replay.span import Span
from live_scoring.replay.tally import Tally

_GIVE_WAY_EVERY = 100
"""Records, some 15 ms: what is fetched and published meanwhile needs the event loop too."""


@dataclass(slots=True)
class Harvest:
    """What some records have led to."""

    scores: list[Score] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the past."""

    name: str
    """The replay's, which its scores carry."""
    plan: Plan
    span: Span
    agents: tuple[str, ...] = ()
    """Globs over agent ids of which one must match; empty is every agent."""

    def wants(self, agent_id: str) -> bool:
        """Whether runs of the agent are asked for."""
        return not self.agents or any(fnmatchcase(agent_id, glob) for glob in self.agents)


class Scoring:
    """Scores records as the live worker does, and marks the scores with the replay's name."""

    def __init__(
        self, question: Question, gathering: Gathering, outside: Outside, now_ms: Callable[[], int]
    ) -> None:
        """Begin.

        Args:
            question: What is asked.
            gathering: Finds the runs in records.
            outside: Asks scorers that call out.
            now_ms: The wall clock, in milliseconds since the epoch.
        """
        self._question = question
        self._gathering = gathering
        self._outside = outside
        self._now_ms = now_ms

    async def score(self, records: Sequence[Record]) -> Harvest:
        """Score some records; returns once every scorer that calls out has answered."""
        harvest, calls = Harvest(), list[OutsideCall]()
        for number, record in enumerate(records, start=1):
            calls += self._take(record, harvest)
            if number % _GIVE_WAY_EVERY == 0:
                await asyncio.sleep(0)
        await self._ask_all(calls, harvest)
        return harvest

    def _take(self, record: Record, harvest: Harvest) -> list[OutsideCall]:
        """Score one record; what is still to be asked about it."""
        calls, tally, span = list[OutsideCall](), harvest.tally, self._question.span
        tally.note("records")
        if not span.admits(record.timestamp_ms):
            tally.note("outside_span")
            return calls
        for gathered in self._gathering.take(record):
            if isinstance(gathered, Failure):
                tally.refuse(record, gathered)
            elif not span.admits(gathered.source.timestamp_ms):
                tally.note("outside_span")
            else:
                calls += self._process(gathered, harvest)
        return calls

    def _process(self, gathered: Gathered, harvest: Harvest) -> Sequence[OutsideCall]:
        run = gathered.run
        harvest.tally.note("runs")
        if not self._question.wants(run.agent_id):
            harvest.tally.note("other_agent")
            return ()
        outcome = process(run, gathered.source, self._question.plan, self._now_ms())
        harvest.tally.note_outcome(outcome)
        for score in outcome.scores:
            self._add(score, harvest)
        return outcome.outside

    async def _ask_all(self, calls: Sequence[OutsideCall], harvest: Harvest) -> None:
        asked = (self._outside.ask(call.scorer, call.placed.run) for call in calls)
        for call, answer in zip(calls, await asyncio.gather(*asked), strict=True):
            if answer is None:
                harvest.tally.note("over_budget")
            else:
                self._add(call.score(answer, self._now_ms()), harvest)

    def _add(self, score: Score, harvest: Harvest) -> None:
        harvest.tally.note(score.outcome)
        harvest.scores.append(score._replace(replay=self._question.name))

"""From records of the past to their scores; nothing is written here."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from live_scoring.adapters.outside import Outside
from live_scoring.core.batch import process
from live_scoring.core.pipeline import OutsideCall, Plan
from live_scoring.core.score import Failure, Score
from live_scoring.replay.gathering import Gathered, Gathering, Record
from live_scoring.replay.span import Span
from live_scoring.replay.tally import Tally

_GIVE_WAY_EVERY = 20
"""Records, some 2 ms: what is fetched meanwhile comes in some 100 KB each time."""


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
    is_dated: bool = True
    """Whether records have timestamps, as those of topics do."""
    margin_ms: int = 0
    """How far outside the span records lie that may hold pieces of runs inside it."""

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
        self._plan = replace(question.plan, replay=question.name)
        self._gathering = gathering
        self._outside = outside
        self._now_ms = now_ms

    def again(self) -> Mapping[str, int]:
        """By place the offset to read again from when an earlier run stopped here."""
        return self._gathering.again()

    async def finish(self) -> Harvest:
        """Score the runs that are whole because there are no more records."""
        harvest, calls = Harvest(), list[OutsideCall]()
        for gathered in self._gathering.flush(is_dated=self._question.is_dated):
            calls += self._take_found(gathered, None, harvest)
        await self._ask_all(calls, harvest)
        return harvest

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
        """Score what is whole now; what is still to be asked about it."""
        question, calls = self._question, list[OutsideCall]()
        is_near = question.span.admits(record.timestamp_ms, question.margin_ms)
        found = self._gathering.take(record) if is_near else ()
        if record.is_again:
            return calls
        harvest.tally.note("records")
        if not is_near:
            harvest.tally.note("outside_span")
        for gathered in found:
            calls += self._take_found(gathered, record, harvest)
        return calls

    def _take_found(
        self, gathered: Gathered | Failure, record: Record | None, harvest: Harvest
    ) -> Sequence[OutsideCall]:
        span, tally = self._question.span, harvest.tally
        if isinstance(gathered, Failure):
            if span.admits(record.timestamp_ms if record else None):
                tally.refuse(record, gathered)
                return ()
        elif span.admits(gathered.source.timestamp_ms):
            return self._process(gathered, harvest)
        tally.note("outside_span")
        return ()

    def _process(self, gathered: Gathered, harvest: Harvest) -> Sequence[OutsideCall]:
        run = gathered.run
        harvest.tally.note("runs")
        if not self._question.wants(run.agent_id):
            harvest.tally.note("other_agent")
            return ()
        outcome = process(run, gathered.source, self._plan, self._now_ms())
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
        harvest.scores.append(score)

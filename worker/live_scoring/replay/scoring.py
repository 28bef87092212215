"""From records of the past to their scores; nothing is written here."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from live_scoring.adapters.outside import Outside
from live_scoring.core.batch import Batch, Filling
from live_scoring.core.pipeline import OutsideCall, Plan
from live_scoring.core.score import Failure, Score
from live_scoring.replay.gathering import Gathered, Gathering, Record
from live_scoring.replay.span import Span
from live_scoring.replay.tally import Tally

_GIVE_WAY_EVERY = 20
"""Answers or records, 1 ms or 2: what is fetched meanwhile comes in some 100 KB each time."""


@dataclass(slots=True)
class Harvest:
    """What some records have led to."""

    scores: list[Sequence[Score]] = field(default_factory=list)
    """Each time those of one run that were made at one moment."""
    tally: Tally = field(default_factory=Tally)

    def add(self, scores: Sequence[Score]) -> None:
        """Take scores of one run that were made at one moment."""
        for score in scores:
            self.tally.note(score.outcome)
        if scores:
            self.scores.append(scores)


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
        harvest, batching = Harvest(), _Batching(self._question, self._plan, self._now_ms)
        for gathered in self._gathering.flush(is_dated=self._question.is_dated):
            await batching.take(gathered, None, harvest)
        await batching.flush(harvest)
        await self._ask_all(batching.calls, harvest)
        return harvest

    async def score(self, records: Sequence[Record]) -> Harvest:
        """Score some records; returns once every scorer that calls out has answered."""
        harvest, batching = Harvest(), _Batching(self._question, self._plan, self._now_ms)
        for number, record in enumerate(records, start=1):
            for gathered in self._found(record, harvest):
                await batching.take(gathered, record, harvest)
            if number % _GIVE_WAY_EVERY == 0:
                await asyncio.sleep(0)
        await batching.flush(harvest)
        await self._ask_all(batching.calls, harvest)
        return harvest

    def _found(self, record: Record, harvest: Harvest) -> Iterable[Gathered | Failure]:
        """What is whole now, or cannot be read."""
        question = self._question
        is_near = question.span.admits(record.timestamp_ms, question.margin_ms)
        found = self._gathering.take(record) if is_near else ()
        if record.is_again:
            return ()
        harvest.tally.note("records")
        if not is_near:
            harvest.tally.note("outside_span")
        return found

    async def _ask_all(self, calls: Sequence[OutsideCall], harvest: Harvest) -> None:
        asked = (self._outside.ask(call.scorer, call.placed.run) for call in calls)
        for call, answer in zip(calls, await asyncio.gather(*asked), strict=True):
            if answer is None:
                harvest.tally.note("over_budget")
            else:
                harvest.add((call.score(answer, self._now_ms()),))


class _Batching:
    """Collects the runs that are asked for and scores them in batches."""

    def __init__(self, question: Question, plan: Plan, now_ms: Callable[[], int]) -> None:
        self._question = question
        self._plan = plan
        self._now_ms = now_ms
        self._filling = Filling[Gathered]()
        self.calls: list[OutsideCall] = []
        """What is still to be asked."""

    async def take(
        self, gathered: Gathered | Failure, record: Record | None, harvest: Harvest
    ) -> None:
        """Take a run, or what cannot be read, of a record or of none."""
        span, tally = self._question.span, harvest.tally
        if isinstance(gathered, Failure):
            if span.admits(record.timestamp_ms if record else None):
                tally.refuse(record, gathered)
            else:
                tally.note("outside_span")
        elif not span.admits(gathered.source.timestamp_ms):
            tally.note("outside_span")
        else:
            tally.note("runs")
            await self._take_run(gathered, len(record.value or b"") if record else 0, harvest)

    async def _take_run(self, gathered: Gathered, record_bytes: int, harvest: Harvest) -> None:
        if not self._question.wants(gathered.run.agent_id):
            harvest.tally.note("other_agent")
        elif self._filling.add(gathered, record_bytes):
            await self.flush(harvest)

    async def flush(self, harvest: Harvest) -> None:
        """Score what is left."""
        runs = self._filling.take()
        batch = Batch(runs, self._plan, self._now_ms())
        for number, _ in enumerate(batch.steps(), start=1):
            if number % _GIVE_WAY_EVERY == 0:
                await asyncio.sleep(0)
        for outcome in batch.outcomes():
            harvest.tally.note_outcome(outcome)
            self.calls += outcome.outside
            harvest.add(outcome.scores)

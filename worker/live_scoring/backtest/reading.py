"""Reads a stretch of the past once, and asks about each run of it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from live_scoring.adapters.files import RunFile
from live_scoring.backtest import words
from live_scoring.backtest.trial import Trial
from live_scoring.config import Config
from live_scoring.core.quote import printable
from live_scoring.core.score import Failure
from live_scoring.formats import Limits
from live_scoring.replay.file_history import FileHistory
from live_scoring.replay.gathering import Gathered, Gathering, Record
from live_scoring.replay.history import History
from live_scoring.replay.progress import Screen
from live_scoring.replay.span import Span
from live_scoring.replay.tally import Tally
from live_scoring.replay.topic_history import open_topics

_RECORDS = 1_000
"""Read at a time."""
_UNDATED_MS = 0
"""Stands for the time of a run that has none: such are left out."""
_SHOWN = 10
"""Agents that no policy names, of those that are told."""


@dataclass(frozen=True, slots=True)
class Past:
    """What is read."""

    file: RunFile | None
    """None reads topics."""
    topics: tuple[str, ...]
    agents: tuple[str, ...]
    """Globs over agent ids of which one must match; empty is every agent."""
    format_name: str | None
    """None looks at each record."""
    span: Span
    """The range that is judged."""
    fill_ms: int
    """How long before it reading begins, so that its first windows are full."""

    @property
    def title(self) -> str:
        """The file or topics in messages."""
        return self.file.name if self.file else ", ".join(self.topics)

    @property
    def read_span(self) -> Span:
        """The range with the time before it."""
        from_ms = self.span.from_ms
        return replace(self.span, from_ms=None if from_ms is None else from_ms - self.fill_ms)

    def wants(self, agent_id: str) -> bool:
        """Whether runs of the agent are asked for."""
        return not self.agents or any(fnmatchcase(agent_id, glob) for glob in self.agents)


async def read_past(past: Past, config: Config, trial: Trial, screen: Screen) -> tuple[str, ...]:
    """Read everything once; what could not be read, or not be judged, each one line.

    Raises:
        LiveScoringError: The file or topics cannot be read.
    """
    worker = config.worker
    limits = Limits(worker.limits.max_bytes, worker.limits.max_depth)
    formats = dict(worker.topics.formats)
    if past.format_name:
        formats |= dict.fromkeys((past.title,) if past.file else past.topics, past.format_name)
    reading = _Reading(past, Gathering(limits, formats, _UNDATED_MS), trial)
    async with _opened(past, config, limits) as history:
        screen.begin(reading.tally)
        while not history.is_read:
            polled = await history.poll(_RECORDS)
            reading.tally.note("missing", polled.missing)
            for record in polled.records:
                await reading.take(record)
            screen.show(reading.tally, history.left)
        await trial.ask_waiting()
        return (*history.notes, *reading.notes())


@asynccontextmanager
async def _opened(past: Past, config: Config, limits: Limits) -> AsyncIterator[History]:
    if past.file:
        yield FileHistory(past.file, limits.max_bytes)
        return
    async with open_topics(config.worker.kafka, past.topics, past.read_span) as history:
        yield history


class _Reading:
    """A reading under way."""

    def __init__(self, past: Past, gathering: Gathering, trial: Trial) -> None:
        self.tally = Tally()
        self._past = past
        self._span = past.read_span
        self._gathering = gathering
        self._trial = trial
        self._undated = 0

    async def take(self, record: Record) -> None:
        self.tally.note("records")
        if not self._span.admits(record.timestamp_ms):
            self.tally.note("outside_span")
            return
        for gathered in self._gathering.take(record):
            if isinstance(gathered, Failure):
                self.tally.refuse(record, gathered)
            else:
                await self._take_run(gathered, record)

    async def _take_run(self, gathered: Gathered, record: Record) -> None:
        if gathered.run.end_ms is None and record.timestamp_ms is None:
            self._undated += 1
        elif not self._span.admits(gathered.source.timestamp_ms):
            self.tally.note("outside_span")
        elif self._past.wants(gathered.run.agent_id):
            self.tally.note("runs")
            outcome = await self._trial.take(gathered)
            for score in outcome.scores:
                self.tally.note(score.outcome)

    def notes(self) -> Iterator[str]:
        title = printable(self._past.title)
        if not self._trial.runs:
            yield f"{title}: no run in the range is of an agent of the configuration"
        elif silent := [pattern for pattern in self._named() if not self._has_run(pattern)]:
            yield f"{title}: no run in the range is of {', '.join(map(printable, silent))}"
        if self.tally.unreadable:
            unreadable = words.counted(self.tally.unreadable.total(), "record")
            yield f"{title}: {unreadable} cannot be read, the first:"
            yield from self.tally.examples
        if self._undated:
            undated = words.counted(self._undated, "run")
            yield f"{title}: {undated} without a timestamp left out; give one to each"
        if self._trial.over_budget:
            questions = words.counted(self._trial.over_budget, "question")
            yield f"{questions} over the budget of a scorer and not asked"
        strangers = self._trial.strangers.most_common()
        for agent_id, runs in strangers[:_SHOWN]:
            yield f"{printable(agent_id)}: no file names this agent of {words.counted(runs, 'run')}"
        if len(strangers) > _SHOWN:
            yield f"{len(strangers) - _SHOWN:,} more agents that no file names"

    def _named(self) -> Iterator[str]:
        """Agents that the new policy names and that are asked for."""
        plans = self._trial.policies[0].plan.agents
        return (p.pattern for p in plans if not p.is_glob and self._past.wants(p.pattern))

    def _has_run(self, agent_id: str) -> bool:
        return any(agent_id == seen for seen, _ in self._trial.runs)

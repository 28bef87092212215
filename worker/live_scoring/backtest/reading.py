"""Reads a stretch of the past once, and asks about each run of it."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from live_scoring.adapters.files import RunFile
from live_scoring.backtest.trial import Trial
from live_scoring.config import Config, WorkerConfig
from live_scoring.core.quote import counted, printable
from live_scoring.core.score import Failure
from live_scoring.replay.file_history import FileHistory
from live_scoring.replay.gathering import Gathered, Gathering, Record
from live_scoring.replay.history import History
from live_scoring.replay.progress import Screen
from live_scoring.replay.span import Span
from live_scoring.replay.tally import Tally
from live_scoring.replay.topic_history import open_topics
from live_scoring.wiring import build_bounds

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


async def read_past(
    past: Past, config: Config, trial: Trial, screen: Screen, now_ms: Callable[[], int]
) -> tuple[str, ...]:
    """Read everything once; what could not be read, or not be judged, each one line.

    Raises:
        LiveScoringError: The file or topics cannot be read.
    """
    worker = config.worker
    formats = dict(worker.topics.formats)
    if past.format_name:
        formats |= dict.fromkeys((past.title,) if past.file else past.topics, past.format_name)
    gathering = Gathering(worker, formats, _UNDATED_MS, now_ms)
    margin_ms = build_bounds(worker).max_age_ms
    reading = _Reading(past, gathering, trial, margin_ms)
    async with _opened(past, worker, margin_ms) as history:
        screen.begin(reading.tally)
        while not history.is_read:
            polled = await history.poll(_RECORDS)
            reading.tally.note("missing", polled.missing)
            for record in polled.records:
                await reading.take(record)
            screen.show(reading.tally, history.left)
        await reading.finish()
        return (*history.notes, *reading.notes())


@asynccontextmanager
async def _opened(past: Past, worker: WorkerConfig, margin_ms: int) -> AsyncIterator[History]:
    if past.file:
        yield FileHistory(past.file, worker.limits.max_bytes)
        return
    span, topics = past.read_span, past.topics
    async with open_topics(worker.kafka, topics, span, margin_ms=margin_ms) as history:
        yield history


class _Reading:
    """A reading under way."""

    def __init__(self, past: Past, gathering: Gathering, trial: Trial, margin_ms: int) -> None:
        self.tally = Tally()
        self._past = past
        self._span = past.read_span
        self._gathering = gathering
        self._trial = trial
        self._margin_ms = margin_ms
        self._undated = 0

    async def take(self, record: Record) -> None:
        self.tally.note("records")
        if not self._span.admits(record.timestamp_ms, self._margin_ms):
            self.tally.note("outside_span")
            return
        for found in self._gathering.take(record):
            await self._take_found(found, record)

    async def finish(self) -> None:
        """Take the runs that are whole because there are no more records."""
        for found in self._gathering.flush(is_dated=self._past.file is None):
            await self._take_found(found, None)
        await self._trial.ask_waiting()

    async def _take_found(self, found: Gathered | Failure, record: Record | None) -> None:
        if isinstance(found, Failure):
            if self._span.admits(record.timestamp_ms if record else None):
                self.tally.refuse(record, found)
        elif found.run.end_ms is None and self._past.file:
            self._undated += 1
        elif not self._span.admits(found.source.timestamp_ms):
            self.tally.note("outside_span")
        elif self._past.wants(found.run.agent_id):
            self.tally.note("runs")
            outcome = await self._trial.take(found)
            for score in outcome.scores:
                self.tally.note(score.outcome)

    def notes(self) -> Iterator[str]:
        title = printable(self._past.title)
        if not self._trial.runs:
            yield f"{title}: no run in the range is of an agent of the configuration"
        elif silent := [pattern for pattern in self._named() if not self._has_run(pattern)]:
            yield f"{title}: no run in the range is of {', '.join(map(printable, silent))}"
        if self.tally.unreadable:
            unreadable = counted(self.tally.unreadable.total(), "record")
            yield f"{title}: {unreadable} cannot be read, the first:"
            yield from self.tally.examples
        if self._undated:
            undated = counted(self._undated, "run")
            yield f"{title}: {undated} without a timestamp left out; give one to each"
        if self._trial.over_budget:
            questions = counted(self._trial.over_budget, "question")
            yield f"{questions} over the budget of a scorer and not asked"
        strangers = self._trial.strangers.most_common()
        for agent_id, runs in strangers[:_SHOWN]:
            yield f"{printable(agent_id)}: no file names this agent of {counted(runs, 'run')}"
        if len(strangers) > _SHOWN:
            yield f"{len(strangers) - _SHOWN:,} more agents that no file names"

    def _named(self) -> Iterator[str]:
        """Agents that the new policy names and that are asked for."""
        plans = self._trial.policies[0].plan.agents
        return (p.pattern for p in plans if not p.is_glob and self._past.wants(p.pattern))

    def _has_run(self, agent_id: str) -> bool:
        return any(agent_id == seen for seen, _ in self._trial.runs)

"""One run of a replay: opens what is read and written, and closes it again."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from live_scoring.adapters.files import STDIN, RunFile
from live_scoring.adapters.outside import Outside
from live_scoring.config import Config
from live_scoring.core.pipeline import Plan
from live_scoring.core.timeline import Timeline
from live_scoring.replay.checkpoint import Checkpoint, write_checkpoint
from live_scoring.replay.file_history import FileHistory
from live_scoring.replay.gathering import Gathering
from live_scoring.replay.history import Bounds, History
from live_scoring.replay.options import Job
from live_scoring.replay.outputs import Outputs
from live_scoring.replay.pace import Pace
from live_scoring.replay.progress import Screen
from live_scoring.replay.replay import Ports, Replay
from live_scoring.replay.scoring import Question, Scoring
from live_scoring.replay.sinks import Sink
from live_scoring.replay.span import Span
from live_scoring.replay.stopping import Stopping
from live_scoring.replay.tally import Tally
from live_scoring.replay.topic_history import open_topics
from live_scoring.wiring import build_bounds


class StoppedError(Exception):
    """A signal asked to stop before the end."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks that a replay reads; tests put others in their place."""

    now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    """Milliseconds since the epoch."""
    monotonic: Callable[[], float] = time.monotonic
    """Seconds since an unnamed moment."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run works with."""

    job: Job
    config: Config
    plan: Plan
    span: Span
    resumed: Checkpoint | None
    """Where an earlier run stopped."""
    clock: Clock


@dataclass(slots=True)
class Session:
    """A run under way, and what it has found when it ends."""

    setting: Setting
    stopping: Stopping
    screen: Screen
    tally: Tally = field(default_factory=Tally)
    """What became of all records whose scores are certain."""
    notes: list[str] = field(default_factory=list)
    """What of the past is not as one might expect."""

    async def run(self) -> None:
        """Replay to the end.

        Raises:
            StoppedError: A signal asked to stop; the last checkpoint stands.
            LiveScoringError: Something that waiting cannot mend; likewise.
        """
        async with AsyncExitStack() as stack:
            history = await stack.enter_async_context(_history(self.setting))
            self._begin(history)
            outputs = Outputs(self.setting.job, Timeline(self.setting.plan), stack)
            sinks = await outputs.open(self.setting.config.worker, self.setting.resumed)
            if self.setting.resumed is None:
                self._save(outputs, history.bounds, self.tally)  # fixes the end before reading
            await self._replay(history, sinks, partial(self._save, outputs))
            is_ranged = self.setting.span != Span()
            if is_ranged and self.tally["records"] == self.tally["outside_span"]:
                self._note("nothing lies in the range that was asked for")
            outputs.write_openmetrics()
        self._save(outputs, history.bounds, self.tally, is_done=True)

    async def _replay(
        self, history: History, sinks: Sequence[Sink], save: Callable[[Bounds, Tally], None]
    ) -> None:
        ports = Ports(lambda: self.stopping.is_asked, save, self.screen.show)
        replay = Replay(history, self._scoring(), sinks, ports, self.tally)
        self.stopping.is_working = True
        clock = self.setting.clock
        pace = Pace(self.setting.job.options.rate, clock.monotonic())
        if not await replay.run(pace, clock.monotonic):
            raise StoppedError

    def _begin(self, history: History) -> None:
        resumed = self.setting.resumed
        if resumed:
            self.tally = resumed.tally
        for note in history.notes:
            self._note(note)
        self.screen.begin(self.tally)

    def _note(self, note: str) -> None:
        self.notes.append(note)
        self.screen.say(f"note: {note}")

    def _scoring(self) -> Scoring:
        setting, options = self.setting, self.setting.job.options
        question = Question(
            setting.job.name,
            setting.plan,
            setting.span,
            options.agents,
            is_dated=options.file is None,
            margin_ms=_margin_ms(setting),
        )
        formats = dict(setting.config.worker.topics.formats)
        if options.format_name:
            read = (options.file.name,) if options.file else setting.job.topics
            formats |= dict.fromkeys(read, options.format_name)
        undated_ms = _changed_ms(options.file) or setting.clock.now_ms()
        now_ms, resumed = setting.clock.now_ms, setting.resumed
        again = resumed.bounds.again if resumed else {}
        gathering = Gathering(setting.config.worker, formats, undated_ms, now_ms, again)
        return Scoring(question, gathering, Outside(), now_ms)

    def _save(
        self, outputs: Outputs, bounds: Bounds, tally: Tally, *, is_done: bool = False
    ) -> None:
        setting = self.setting
        if setting.job.targets.checkpoint is None:
            return
        checkpoint = Checkpoint(
            command=setting.job.command(setting.config),
            from_ms=setting.span.from_ms,
            to_ms=setting.span.to_ms,
            bounds=bounds,
            file_bytes=outputs.file_bytes,
            tally=tally,
            is_done=is_done,
        )
        write_checkpoint(setting.job.targets.checkpoint, checkpoint)


@asynccontextmanager
async def _history(setting: Setting) -> AsyncIterator[History]:
    options, bounds = setting.job.options, setting.resumed.bounds if setting.resumed else None
    if options.file:
        yield FileHistory(options.file, setting.config.worker.limits.max_bytes, bounds)
        return
    kafka, topics = setting.config.worker.kafka, setting.job.topics
    opening = open_topics(kafka, topics, setting.span, bounds, _margin_ms(setting))
    async with opening as history:
        yield history


def _margin_ms(setting: Setting) -> int:
    """How long a run may be in coming."""
    return build_bounds(setting.config.worker).max_age_ms


def _changed_ms(file: RunFile | None) -> int | None:
    """When a file was last changed; None without one."""
    if file is None or file.path == STDIN:
        return None
    return file.path.stat().st_mtime_ns // 1_000_000

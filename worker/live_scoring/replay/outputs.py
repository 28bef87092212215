"""All that a replay writes, opened together and closed together."""

from contextlib import AsyncExitStack
from pathlib import Path

from live_scoring.adapters.durable import GrowingFile
from live_scoring.config import WorkerConfig
from live_scoring.core.timeline import Timeline
from live_scoring.replay.checkpoint import Checkpoint
from live_scoring.replay.openmetrics import write_openmetrics
from live_scoring.replay.options import Job
from live_scoring.replay.sinks import (
    FileSink,
    Sink,
    TimelineSink,
    TopicSink,
    open_topic_sink,
    restore_from,
)


class Outputs:
    """The sinks of a replay; what they write stands, or goes, when the stack is closed."""

    def __init__(self, job: Job, timeline: Timeline, stack: AsyncExitStack) -> None:
        """Prepare.

        Args:
            job: Says where to write.
            timeline: Empty; for OpenMetrics.
            stack: Closes what is opened. A file without a checkpoint takes its name only if the
                stack is closed without an error.
        """
        self._job = job
        self._timeline = timeline
        self._stack = stack
        self._topic: TopicSink | None = None
        self._file: FileSink | None = None
        self._openmetrics: GrowingFile | None = None

    async def open(self, config: WorkerConfig, resumed: Checkpoint | None) -> list[Sink]:
        """Open what is asked for, at the point where an earlier run stopped.

        Raises:
            LiveScoringError: Something cannot be written.
        """
        targets, sinks = self._job.targets, list[Sink]()
        if targets.topic:
            opening = open_topic_sink(config, targets.topic)
            self._topic = await self._stack.enter_async_context(opening)
            sinks.append(self._topic)
        if targets.file:
            self._file = self._open_file(targets.file, resumed)
            sinks.append(self._file)
        if targets.openmetrics:
            replacing = GrowingFile.replacing(targets.openmetrics)
            self._openmetrics = self._stack.enter_context(replacing)
            if resumed:
                await self._restore()
            sinks.append(TimelineSink(self._timeline))
        return sinks

    def _open_file(self, path: Path, resumed: Checkpoint | None) -> FileSink:
        if self._job.targets.checkpoint is None:
            return FileSink(self._stack.enter_context(GrowingFile.replacing(path)))
        length = resumed.file_bytes if resumed else 0
        file = GrowingFile(path, length)
        self._stack.callback(file.close)
        return FileSink(file, length)

    async def _restore(self) -> None:
        """Fill the panes that an earlier run had filled, from the scores that it wrote."""
        if self._job.targets.file:
            restore_from(self._job.targets.file, self._timeline)
        elif self._topic:
            await self._topic.restore(self._timeline, self._job.name)

    @property
    def file_bytes(self) -> int:
        """How long the file of scores certainly is; 0 without one."""
        return self._file.length if self._file else 0

    def write_openmetrics(self) -> None:
        """Write the timeline, if asked for.

        Raises:
            LiveScoringError: It cannot be written.
        """
        if self._openmetrics is not None:
            for chunk in write_openmetrics(self._timeline, self._job.name):
                self._openmetrics.append(chunk)

"""`live-scoring replay`: from options to what is printed and ended with."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from live_scoring.adapters.collector import tamed_collector
from live_scoring.config import load_config
from live_scoring.core.quote import printable
from live_scoring.replay.checkpoint import Checkpoint, read_checkpoint
from live_scoring.replay.options import Job, ReplayOptions, job_of
from live_scoring.replay.progress import Screen
from live_scoring.replay.session import Clock, Session, Setting, StoppedError
from live_scoring.replay.span import parse_span
from live_scoring.replay.stopping import Stopping
from live_scoring.replay.summary import Summary
from live_scoring.wiring import build_plan, check_format


@dataclass(frozen=True, slots=True)
class Report:
    """What the command is to say and to end with."""

    summary: Summary | None
    """None if a signal stopped it."""
    complaint: str | None
    """For standard error."""
    exit_code: int


def replay(
    folder: Path,
    environ: Mapping[str, str],
    options: ReplayOptions,
    console: Console,
    clock: Clock | None = None,
) -> Report:
    """Replay to the end, or until a signal asks to stop.

    Args:
        folder: The configuration.
        environ: Environment variables; they win over the configuration.
        options: What is asked.
        console: Of standard error, for progress and notes.
        clock: The clocks to read, if not the machine's.

    Raises:
        LiveScoringError: The options, the configuration, the source, the checkpoint or a file
            cannot be used, or the broker refuses.
    """
    setting = _setting(folder, environ, options, clock or Clock())
    if setting.resumed and setting.resumed.is_done:
        summary = _summary(setting, setting.resumed)
        return Report(replace(summary, is_again=True), None, exit_code=0)
    stopping = Stopping()
    with Screen(console, _source(setting.job), setting.clock.monotonic) as screen:
        session = Session(setting, stopping, screen)
        with tamed_collector():
            has_ended = asyncio.run(_run(session, stopping))
    if not has_ended:
        return Report(None, _stopped(session, stopping), stopping.exit_code)
    return Report(_summary(setting, session), None, exit_code=0)


def _setting(
    folder: Path, environ: Mapping[str, str], options: ReplayOptions, clock: Clock
) -> Setting:
    config = load_config(folder, environ)
    check_format(options.format_name, config.worker)
    job = job_of(options, config.worker.topics)
    span = parse_span(options.since, options.until, options.offsets, clock.now_ms())
    resumed = None
    if options.checkpoint:
        resumed = read_checkpoint(options.checkpoint, job.command(config))
    if resumed:
        span = replace(span, from_ms=resumed.from_ms, to_ms=resumed.to_ms)
    return Setting(job, config, build_plan(config), span, resumed, clock)


async def _run(session: Session, stopping: Stopping) -> bool:
    """Run; whether it came to the end."""
    work = asyncio.create_task(session.run())
    stopping.listen(work)
    try:
        await work
    except StoppedError:
        return False
    except asyncio.CancelledError:
        if not stopping.is_asked:
            raise
        # Deliveries that were given up fail later, when nobody waits for them.
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        return False
    return True


def _source(job: Job) -> str:
    return job.options.file.name if job.options.file else ", ".join(job.topics)


def _summary(setting: Setting, found: Session | Checkpoint) -> Summary:
    notes = found.notes if isinstance(found, Session) else ()
    job = setting.job
    return Summary(job.name, _source(job), found.tally, job.targets.named, notes)


def _stopped(session: Session, stopping: Stopping) -> str:
    """How to go on after a signal."""
    targets = session.setting.job.targets
    if targets.checkpoint:
        remedy = "give the same command to go on"
    elif targets.file:
        name = targets.file.as_posix()
        remedy = f"nothing was written to {name}; with --checkpoint the same command would go on"
    else:
        remedy = "the same command begins anew; with --checkpoint it would go on"
    source = printable(_source(session.setting.job))
    by = stopping.signal.name if stopping.signal else "nobody"
    return f"{source}: stopped by {by} after {session.tally.passed:,} records; {remedy}"

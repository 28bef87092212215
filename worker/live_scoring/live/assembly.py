"""A worker put together from a configuration folder and the environment."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args

from live_scoring.adapters.metrics import Build, Known, Metrics
from live_scoring.config import WorkerConfig, load_config
from live_scoring.core.decoding import DecodeReason
from live_scoring.formats import FORMATS
from live_scoring.live.clock import Clock
from live_scoring.live.loops import Half, Loops, open_loops
from live_scoring.live.notify import webhooks_of
from live_scoring.live.worker import Halves, Setting, Worker
from live_scoring.wiring import build_plan

_UNKNOWN_AGENTS_NAMED = 20
"""In a summary; the page names more."""
_STOP_SECONDS = 1.0


def build_worker(folder: Path, only: Half | None = None, *, create_topics: bool = True) -> Worker:
    """A worker that is ready to run.

    Args:
        folder: The configuration; the environment's variables win over it.
        only: The half to run; None runs both.
        create_topics: Whether missing topics may be created.

    Raises:
        LiveScoringError: The configuration cannot be used.
    """
    setting = _load(folder)
    config = setting.config.worker
    build = Build(version("live-scoring-worker"), os.environ.get("LIVE_SCORING_REVISION", ""))
    has_values = config.metrics.score_value
    metrics = Metrics(_known(config), build, has_score_values=has_values)

    @asynccontextmanager
    async def open_halves(worker: Worker) -> AsyncIterator[Halves]:
        plan = worker.setting.plan
        loops = await open_loops(config, plan, metrics, only, create_topics=create_topics)
        try:
            yield halves_of(loops)
        finally:
            with suppress(TimeoutError):
                await asyncio.wait_for(loops.publisher.stop(), _STOP_SECONDS)

    return Worker(setting, partial(_load, folder), open_halves, metrics, Clock())


def _load(folder: Path) -> Setting:
    config = load_config(folder, os.environ)
    return Setting(config, build_plan(config), webhooks_of(config.worker.notify, os.environ))


def _known(config: WorkerConfig) -> Known:
    topics = config.topics
    return Known(
        run_topics=topics.runs,
        written_topics=tuple(
            filter(None, (topics.scores, topics.verdicts, topics.dead_letters, topics.panes))
        ),
        formats=tuple(FORMATS),
        dead_letters=(
            *((s, reason) for s in ("decode", "assemble") for reason in get_args(DecodeReason)),
            ("publish", "too_large"),
        ),
        webhooks=tuple(config.notify),
    )


def halves_of(loops: Loops) -> Halves:
    """The loops that run, and what the pages and the log tell of them."""
    both = {"scoring": loops.scoring, "verdicts": loops.verdicts}
    running = {name: loop for name, loop in both.items() if loop is not None}
    unknown = loops.scoring.intake.unknown_agents if loops.scoring else {}
    return Halves(running, partial(_summary, loops), unknown)


def _summary(loops: Loops) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if scoring := loops.scoring:
        unknown = scoring.intake.unknown_agents.most_common(_UNKNOWN_AGENTS_NAMED)
        facts |= {
            "runs": scoring.intake.runs,
            "scores": scoring.scores,
            "dead_letters": scoring.intake.bad,
            "lag": scoring.lag,
            "waiting": scoring.waiting,
            "open_runs": scoring.intake.gatherer.counts().open,
            "unknown_agents": [agent for agent, _ in unknown],
        }
    if loops.verdicts:
        facts["agents"] = len(loops.verdicts.judged_at_seconds())
    return facts

"""`live-scoring backtest`: from options to what is printed, written and ended with."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rich.console import Console

from live_scoring.adapters.files import RunFile
from live_scoring.backtest.judging import Asked, judged
from live_scoring.backtest.reading import Past, read_past
from live_scoring.backtest.report import Backtest
from live_scoring.backtest.trial import Trial
from live_scoring.config import Config, load_config
from live_scoring.core.disclosure import CANDID
from live_scoring.core.errors import LiveScoringError
from live_scoring.replay.options import check_topic
from live_scoring.replay.progress import Screen
from live_scoring.replay.session import Clock
from live_scoring.replay.span import parse_span
from live_scoring.wiring import build_plan, check_format

FailOn = Literal["failed", "scored"]


@dataclass(frozen=True, slots=True)
class BacktestOptions:
    """What the command was given beside a configuration."""

    file: RunFile | None
    """None reads topics."""
    against: Path | None
    """The folder of the policy to compare with."""
    topics: tuple[str, ...]
    """Empty is the configuration's."""
    agents: tuple[str, ...]
    format_name: str | None
    since: str | None
    until: str | None


def backtest(
    folder: Path,
    environ: Mapping[str, str],
    options: BacktestOptions,
    console: Console,
    clock: Clock | None = None,
) -> Backtest:
    """Try a policy on the past.

    Args:
        folder: The configuration of the new policy, and of the brokers.
        environ: Environment variables; they win over the configurations.
        options: What is asked.
        console: Of standard error, for progress.
        clock: The clocks to read, if not the machine's.

    Raises:
        LiveScoringError: The options, a configuration or the source cannot be used.
    """
    clock = clock or Clock()
    if options.file and options.topics:
        raise LiveScoringError("--topic: RUNS is a file and has none; give one of the two")
    for topic in options.topics:
        check_topic("--topic", topic)
    config = load_config(folder, environ)
    check_format(options.format_name, config.worker)
    others = [load_config(options.against, environ)] if options.against else []
    plans = [build_plan(found, CANDID) for found in (config, *others)]
    now_ms = clock.now_ms()
    past = _past(options, config, max(plan.longest_ms for plan in plans), now_ms)
    trial = Trial(plans, past.span.from_ms)
    with Screen(console, past.title, clock.monotonic) as screen:
        notes = asyncio.run(read_past(past, config, trial, screen, clock.now_ms))
    asked = Asked(
        past.title,
        folder.as_posix(),
        options.against.as_posix() if options.against else None,
        past.span.from_ms,
        _last_ms(past, now_ms),
    )
    return judged(trial, asked, notes)


def _past(options: BacktestOptions, config: Config, fill_ms: int, now_ms: int) -> Past:
    span = parse_span(options.since, options.until, None, now_ms)
    topics = tuple(dict.fromkeys(options.topics or config.worker.topics.runs))
    return Past(options.file, topics, options.agents, options.format_name, span, fill_ms)


def _last_ms(past: Past, now_ms: int) -> int | None:
    """The range's last moment: a topic goes on until now, a file ends with its last run."""
    if past.span.to_ms is not None:
        return past.span.to_ms - 1
    return None if past.file else now_ms


def fails(backtest: Backtest, fail_on: tuple[FailOn, ...]) -> bool:
    """Whether the new policy says at the end of the range what is to fail, or worse.

    One that scored nothing fails too: of a wrong file, or without the agent, it has proven nothing.
    """
    if not fail_on:
        return False
    minded = {"failed", *fail_on}
    has_scored = any(agent.new.scores for agent in backtest.agents)
    return not has_scored or any(state in minded for _, _, state in backtest.last_verdicts())

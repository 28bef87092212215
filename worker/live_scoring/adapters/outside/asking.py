"""Asks scorers that call out: each within its time, its number at once and its budget."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from msgspec import structs

from live_scoring.adapters.outside.apart import apart
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure, one_line
from live_scoring.core.scoring import Answer, CallLimits, NamedScorer, Scorer, checked
from live_scoring.scorers import ScorerError, Steps, ask

_MINUTE_SECONDS = 60.0
_BACKOFF_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)
_OVERDUE = 100
"""Calls of one scorer that ran out of time and yet go on, before it is asked no more."""

Observe = Callable[[str, float], None]


class Outside:
    """Asks scorers in one event loop; whoever asks waits, and no one else.

    Rules that are alike in name, scorer, parameters and limits share their limits: a rule of
    `defaults.yaml` has one budget for all agents.
    """

    def __init__(
        self,
        on_duration: Observe = lambda _, __: None,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Start with every budget whole.

        Args:
            on_duration: Told the scorer's name and the seconds that each call took.
            monotonic: Seconds, for durations and budgets.
            sleep: Waits between a call that failed and the next.
        """
        self._on_duration = on_duration
        self._monotonic = monotonic
        self._sleep = sleep
        self._desks: dict[tuple[str, str, CallLimits], _Desk] = {}

    async def ask(self, scorer: Scorer, run: AgentRun) -> Answer | None:
        """Ask about a run and wait for the answer; None where the budget allows no call."""
        desk = self._desk_of(scorer)
        answer: Answer | None = None
        for attempt in range(1 + desk.limits.retries):
            if attempt:
                await self._sleep(_BACKOFF_SECONDS[min(attempt, len(_BACKOFF_SECONDS)) - 1])
            async with desk.places:
                if not desk.has_budget(self._monotonic()):
                    return answer
                answer = await self._call(desk, scorer, run)
            if not isinstance(answer, Failure):
                break
        return answer

    def _desk_of(self, scorer: Scorer) -> "_Desk":
        limits = scorer.limits or CallLimits()
        key = (scorer.name, scorer.fingerprint, limits)
        if key not in self._desks:
            self._desks[key] = _Desk(limits)
        return self._desks[key]

    async def _call(self, desk: "_Desk", scorer: Scorer, run: AgentRun) -> Answer:
        if len(desk.overdue) >= _OVERDUE:
            return Failure("score", "Stuck", f"{_OVERDUE} earlier calls have not ended yet")
        began = self._monotonic()
        task = asyncio.create_task(_answer_of(scorer, run))
        try:
            await asyncio.wait({task}, timeout=desk.limits.timeout_seconds)
        finally:
            is_overdue = not task.done()
            if is_overdue:
                desk.give_up(task)
        self._on_duration(scorer.name, self._monotonic() - began)
        if is_overdue:
            seconds = desk.limits.timeout_seconds
            return Failure("score", "Timeout", f"no answer within {seconds:g} s")
        if task.cancelled():
            return Failure("score", "CancelledError", "cancelled its own call")
        return task.result()


class _Desk:
    """What the calls of one scorer share."""

    def __init__(self, limits: CallLimits) -> None:
        self.limits = limits
        self.places = asyncio.Semaphore(limits.concurrency)
        self.overdue: set[asyncio.Task[Answer]] = set()
        self._called_at: deque[float] = deque(maxlen=limits.budget_per_minute)

    def has_budget(self, now: float) -> bool:
        """Whether one more call may begin now, which then counts."""
        budget, times = self.limits.budget_per_minute, self._called_at
        if budget is None:
            return True
        if len(times) == budget and now - times[0] < _MINUTE_SECONDS:
            return False
        times.append(now)
        return True

    def give_up(self, task: asyncio.Task[Answer]) -> None:
        """Wait for a call no longer; it is overdue until it has ended."""
        task.cancel()
        self.overdue.add(task)
        task.add_done_callback(self.overdue.discard)


async def _answer_of(scorer: Scorer, run: AgentRun) -> Answer:
    try:
        answer = await ask(_kept_apart(scorer), run)
    except ScorerError as error:
        return _failure_of(error)
    if answer is None:
        return Failure("score", "MissingScore", "answered no score")
    if answer.reason and answer.discreet is None:
        answer = structs.replace(answer, discreet="")  # nobody knows what it quotes
    return checked(answer)


def _kept_apart(scorer: Scorer) -> NamedScorer:
    """The scorer with its plain functions put into threads."""
    question = scorer.run
    if isinstance(question, Steps):
        return NamedScorer(scorer.check_id, replace(question, call=apart))
    return NamedScorer(scorer.check_id, partial(apart, question))


def _failure_of(error: ScorerError) -> Failure:
    """By the type of what a scorer raised, not of what names its step."""
    origin: BaseException = error
    while isinstance(origin, ScorerError) and origin.__cause__ is not None:
        origin = origin.__cause__
    discreet = None if isinstance(origin, LiveScoringError) else ""
    return Failure("score", type(origin).__name__, one_line(str(error)), discreet)

"""How the live worker asks a scorer: timed, and suspended while its pattern runs away."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from itertools import cycle

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.core.scoring import Answer, Scorer, score_run
from live_scoring.live.clock import Clock

_RUNAWAY = "PatternTimeout"
_RUNAWAYS = 20
_SECONDS = 60.0
_TIMED_EVERY = 8
"""To time a scorer takes as long as most scorers do."""
_REMEMBERED = 1_000
"""Agents and scorers at which the old ones are forgotten: in a minute fewer can run away."""


class Answering:
    """Asks scorers. One that ran away 20 times within a minute errs for a minute unasked.

    Its suspension is per agent and scorer; what it answers meanwhile is an error outcome, so
    it is counted like any other.
    """

    def __init__(self, clock: Clock, on_duration: Callable[[str, float], None]) -> None:
        """Start with nothing suspended.

        Args:
            clock: For durations and minutes.
            on_duration: Told the scorer's name and the seconds it took, one time in eight.
        """
        self._clock = clock
        self._on_duration = on_duration
        self._is_timed: defaultdict[str, Iterator[bool]] = defaultdict(_one_in_eight)
        """By scorer, of each time that it is asked."""
        self._runaways: defaultdict[tuple[str, str], deque[float]] = defaultdict(
            lambda: deque(maxlen=_RUNAWAYS)
        )
        self._suspended_until: dict[tuple[str, str], float] = {}

    def __call__(self, scorer: Scorer, run: AgentRun) -> Answer:
        """Ask one scorer about one run."""
        if self._suspended_until and self._is_suspended((run.agent_id, scorer.name)):
            return Failure("score", "Suspended", "its pattern ran away 20 times within a minute")
        is_timed = next(self._is_timed[scorer.name])
        answer = self._timed(scorer, run) if is_timed else score_run(scorer, run)
        if isinstance(answer, Failure) and answer.reason == _RUNAWAY:
            self._note((run.agent_id, scorer.name))
        return answer

    def _timed(self, scorer: Scorer, run: AgentRun) -> Answer:
        perf = self._clock.perf
        began = perf()
        answer = score_run(scorer, run)
        self._on_duration(scorer.name, perf() - began)
        return answer

    def _is_suspended(self, who: tuple[str, str]) -> bool:
        until = self._suspended_until.get(who)
        if until is None:
            return False
        if self._clock.monotonic() < until:
            return True
        del self._suspended_until[who]
        return False

    def _note(self, who: tuple[str, str]) -> None:
        now = self._clock.monotonic()
        if who not in self._runaways and len(self._runaways) >= _REMEMBERED:
            self._forget(now)
        times = self._runaways[who]
        times.append(now)
        if len(times) == _RUNAWAYS and now - times[0] < _SECONDS:
            self._suspended_until[who] = now + _SECONDS
            del self._runaways[who]

    def _forget(self, now: float) -> None:
        for known in [w for w, times in self._runaways.items() if times[-1] < now - _SECONDS]:
            del self._runaways[known]
        for known in [w for w, until in self._suspended_until.items() if until < now]:
            del self._suspended_until[known]


def _one_in_eight() -> Iterator[bool]:
    return cycle((True, *(False,) * (_TIMED_EVERY - 1)))

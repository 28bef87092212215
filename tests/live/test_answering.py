"""How the live worker asks scorers."""

import tracemalloc
from dataclasses import replace

from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult, Failure
from live_scoring.live.answering import Answering
from live_scoring.live.clock import Clock
from tests.builders import run_saying
from tests.live.boards import scorer

RUN = run_saying("x")


class PatternTimeout(Exception):  # noqa: N818 -- named as the one that checks raise
    """A pattern that ran away."""


def runs_away(_: AgentRun) -> CheckResult:
    raise PatternTimeout("100 ms")


class Bench:
    """An `Answering` with a clock that tests set, and the durations it told."""

    def __init__(self) -> None:
        self.now = 0.0
        self.durations: list[tuple[str, float]] = []
        clock = Clock(monotonic=lambda: self.now, perf=self._perf)
        self.ask = Answering(clock, lambda name, seconds: self.durations.append((name, seconds)))
        self.ticks = 0.0

    def _perf(self) -> float:
        self.ticks += 0.25
        return self.ticks


RUNAWAY = replace(scorer("runaway"), run=runs_away)


def test_an_answer_is_timed() -> None:
    bench = Bench()
    assert bench.ask(scorer("x"), RUN) == CheckResult.hit(reason_of(bench))
    assert bench.durations[0] == ("x", 0.25)


def reason_of(bench: Bench) -> str:
    answer = bench.ask(scorer("x"), RUN)
    assert isinstance(answer, CheckResult)
    return answer.reason


def reason_for(bench: Bench) -> str:
    answer = bench.ask(RUNAWAY, RUN)
    assert isinstance(answer, Failure)
    return answer.reason


def test_a_pattern_that_runs_away_is_an_error_outcome() -> None:
    assert reason_for(Bench()) == "PatternTimeout"


def test_twenty_within_a_minute_suspend_the_scorer_for_a_minute() -> None:
    bench = Bench()
    for _ in range(20):
        assert reason_for(bench) == "PatternTimeout"
        bench.now += 1
    assert reason_for(bench) == "Suspended"
    bench.now += 61
    assert reason_for(bench) == "PatternTimeout"


def test_twenty_spread_over_more_than_a_minute_do_not() -> None:
    bench = Bench()
    for _ in range(40):
        assert reason_for(bench) == "PatternTimeout"
        bench.now += 4


def test_another_agents_scorer_of_that_name_goes_on() -> None:
    bench = Bench()
    for _ in range(20):
        bench.ask(RUNAWAY, RUN)
    answer = bench.ask(RUNAWAY, run_saying("x", agent_id="agent-2"))
    assert isinstance(answer, Failure)
    assert answer.reason == "PatternTimeout"


def test_runaways_of_agents_without_end_take_no_memory_without_end() -> None:
    bench = Bench()
    tracemalloc.start()
    for number in range(20_000):
        bench.ask(RUNAWAY, run_saying(agent_id=f"agent-{number}"))
        bench.now += 0.1
        bench.durations.clear()
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 4_000_000  # else 30 MB


def test_each_scorer_is_timed_one_time_in_eight() -> None:
    bench = Bench()
    for number in range(17):
        run = run_saying(str(number))
        bench.ask(scorer("x"), run)
        bench.ask(scorer("y"), run)
    assert [name for name, _ in bench.durations] == ["x", "y"] * 3

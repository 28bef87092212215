"""Runs are scored in batches, which change nothing but the pace."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from live_scoring.core.disclosure import Disclosure
from live_scoring.core.ecmascript import Pattern
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Scorer
from live_scoring.gathering import LongTrace, LookBack
from live_scoring.live.batching import Batching
from live_scoring.live.intake import Harvest
from live_scoring.live.turn import HOLD_SECONDS, Turn
from tests.live.boards import agent_plan, scorer
from tests.live.intakes import STANDING, intake_of, record_of, services_of

HIT = CheckResult.hit("x")


def value_of(number: int, agent: str = "agent-1") -> bytes:
    return json.dumps({"run_id": f"run-{number}", "agent_id": agent, "output": []}).encode()


class Bench:
    """A plan of two scorers that note what they are asked about."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        scorers = (self._scorer("first"), self._scorer("second"))
        self.plan = replace(agent_plan(), scorers=scorers, rules=())
        self.intake = intake_of(services_of(), self.plan)
        self.harvest = Harvest()

    def _scorer(self, name: str) -> Scorer:
        def ask(run: AgentRun) -> CheckResult:
            self.asked.append((name, run.run_id))
            return HIT

        return replace(scorer(name), run=ask)

    async def take(self, values: list[bytes], turn: Turn) -> None:
        batching = Batching(self.intake, self.harvest, turn)
        for value in values:
            for find in self.intake.gather(record_of(value)):
                assert not isinstance(find, LookBack | LongTrace)
                await batching.take(find, len(value))
        await batching.flush()

    def score(self, *values: bytes) -> list[tuple[str, str]]:
        """Run and scorer of what is to be published, in its order."""
        asyncio.run(self.take(list(values), Turn(STANDING.monotonic)))
        return [(score.run_id, score.scorer) for score in self.harvest.scores]


def test_a_batch_asks_one_scorer_after_the_other() -> None:
    bench = Bench()
    bench.score(value_of(1), value_of(2))
    assert bench.asked == [
        ("first", "run-1"),
        ("first", "run-2"),
        ("second", "run-1"),
        ("second", "run-2"),
    ]


def test_scores_of_a_run_stay_together_in_the_order_of_the_runs() -> None:
    assert Bench().score(value_of(1), value_of(2)) == [
        ("run-1", "first"),
        ("run-1", "second"),
        ("run-2", "first"),
        ("run-2", "second"),
    ]


def test_an_unreadable_record_among_runs_costs_itself_alone() -> None:
    bench = Bench()
    assert len(bench.score(value_of(1), b"no JSON", value_of(2))) == 4
    assert (bench.intake.runs, bench.intake.bad) == (2, 1)
    assert len(bench.harvest.dead_letters) == 1


@pytest.mark.parametrize(("count", "size"), [(64, 0), (1, 256 * 1024)])
def test_a_full_batch_is_scored_at_once(count: int, size: int) -> None:
    bench = Bench()

    async def fill() -> None:
        batching = Batching(bench.intake, bench.harvest, Turn(STANDING.monotonic))
        for number in range(count):
            assert not bench.asked
            for find in bench.intake.gather(record_of(value_of(number))):
                assert not isinstance(find, LookBack | LongTrace)
                await batching.take(find, size)

    asyncio.run(fill())
    assert len(bench.harvest.scores) == 2 * count


def test_others_have_their_turn_between_two_slow_answers() -> None:
    bench = Bench()
    ticks: Iterator[float] = iter(number * HOLD_SECONDS for number in range(10_000))

    async def work() -> int:
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        beside = asyncio.create_task(other())
        await bench.take([value_of(number) for number in range(3)], Turn(lambda: next(ticks)))
        beside.cancel()
        return turns

    assert asyncio.run(work()) >= len(bench.asked)


def test_others_have_their_turn_between_two_texts_that_are_redacted() -> None:
    bench = Bench()
    disclosure = Disclosure(has_text=True, redactions=(Pattern("secret"),))
    bench.intake.plan = replace(bench.intake.plan, disclosure=disclosure)
    ticks: Iterator[float] = iter(number * HOLD_SECONDS for number in range(10_000))

    async def work() -> int:
        turns = 0

        async def other() -> None:
            nonlocal turns
            while not bench.asked:
                turns += 1
                await asyncio.sleep(0)

        beside = asyncio.create_task(other())
        await bench.take([value_of(number) for number in range(3)], Turn(lambda: next(ticks)))
        await beside
        return turns

    assert asyncio.run(work()) >= 3

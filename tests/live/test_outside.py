"""Calls under way: what comes back, and what is given up with a partition."""

import asyncio

from live_scoring.adapters.kafka import TopicPartition
from live_scoring.adapters.outside import Outside
from live_scoring.core.pipeline import OutsideCall, PlacedRun
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import CallLimits, Question, Scorer
from live_scoring.live.outside import Errands
from tests.builders import SOURCE, run_saying

AT = TopicPartition(SOURCE.topic, SOURCE.partition)
USUAL = CallLimits()
SPENT = CallLimits(budget_per_minute=1)


def call_of(
    question: Question, limits: CallLimits = USUAL, partition: int = AT.partition
) -> OutsideCall:
    scorer = Scorer("tone", "scorer", "own", "f1", question, limits=limits)
    source = SOURCE._replace(partition=partition)
    return OutsideCall(scorer, PlacedRun(run_saying("hello"), source, "", 0))


async def at_once(_: AgentRun) -> float:
    return 1.0


async def never(_: AgentRun) -> float:
    await asyncio.Event().wait()
    return 1.0


async def settle() -> None:
    """Let every call go on that can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_call_comes_back_once_and_only_when_it_has_ended() -> None:
    async def work() -> None:
        errands, quick, slow = Errands(Outside()), call_of(at_once), call_of(never)
        errands.send(slow)
        errands.send(quick)
        assert errands.take_ended() == []
        await settle()
        assert errands.take_ended() == [(quick, CheckResult(1.0))]
        assert errands.take_ended() == []

    asyncio.run(work())


def test_a_call_over_budget_comes_back_without_an_answer() -> None:
    async def work() -> None:
        errands = Errands(Outside())
        first, second = call_of(at_once, SPENT), call_of(at_once, SPENT)
        errands.send(first)
        errands.send(second)
        await settle()
        assert errands.take_ended() == [(first, CheckResult(1.0)), (second, None)]

    asyncio.run(work())


def test_calls_of_a_lost_partition_are_given_up_with_their_answers() -> None:
    cancelled: list[AgentRun] = []

    async def noting(run: AgentRun) -> float:
        try:
            return await never(run)
        except asyncio.CancelledError:
            cancelled.append(run)
            raise

    async def work() -> None:
        errands, kept = Errands(Outside()), call_of(at_once, partition=AT.partition + 1)
        for call in (call_of(noting), call_of(at_once), kept):
            errands.send(call)
        await settle()
        errands.cancel({AT})
        await settle()
        assert errands.take_ended() == [(kept, CheckResult(1.0))]

    asyncio.run(work())
    assert len(cancelled) == 1

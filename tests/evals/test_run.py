"""Who is asked when, and what a target may answer."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from live_scoring import AgentRun, EvalResult, Message, arun_evals, checks, create_scorer, run_evals
from live_scoring.core.scoring import NamedScorer
from live_scoring.evals import EvalError
from tests.builders import run_saying
from tests.evals.telling import gated, saying_it, scored, telling


def test_items_tell_what_each_scorer_found() -> None:
    scorer = create_scorer("s", preprocess=lambda _: [1], generate_score=lambda _: 0)
    result = scored("x", gates=[checks.called_tool("search")], scorers=[scorer])
    (item,) = result.items
    assert (item.index, item.run_id) == (0, "run-1")
    assert item.gates[0].findings == {"actual_count": 0}
    assert item.scorers[0].findings == {"preprocess": [1], "generate_score": 0}


def test_a_target_may_be_a_coroutine_function_that_answers_messages() -> None:
    async def target(text: str) -> list[Any]:
        await asyncio.sleep(0)
        return [Message(role="assistant", text=text), {"role": "assistant", "text": "!"}]

    result = run_evals(data=["hello"], target=target, gates=[checks.equals("hello!")])
    assert result.verdict == "passed"
    assert result.items[0].run_id == "item-0"


@pytest.mark.parametrize(
    "made",
    ["hello!", {"output": [{"role": "assistant", "text": "hello!"}]}, {"runId": "r", "output": []}],
)
def test_a_target_may_answer_a_text_or_a_run_as_a_mapping(made: Any) -> None:
    result = run_evals(data=["x"], target=lambda _: made, gates=[checks.excludes("bye")])
    assert result.verdict == "passed"
    assert result.items[0].run_id == ("r" if "runId" in made else "item-0")


def test_a_target_that_raises_ends_the_evaluation_and_names_its_item() -> None:
    def target(text: str) -> AgentRun:
        raise KeyError(text)

    with pytest.raises(EvalError, match=r"^data\[0\]: target: KeyError: 'hello'$"):
        run_evals(data=["hello"], target=target, gates=[telling()])


@pytest.mark.parametrize("made", [None, 5, [{"role": "assistant"}], {"run_id": "r"}])
def test_a_target_that_answers_no_run_is_told_what_to_answer(made: Any) -> None:
    with pytest.raises(EvalError, match=r"^data\[0\]: target: output.*answer a run, mess"):
        run_evals(data=["hello"], target=lambda _: made, gates=[telling()])


async def numbered(count: int) -> AsyncIterator[int]:
    for number in range(count):
        yield number


def test_data_may_be_any_iterable_also_an_async_one() -> None:
    def is_even(run: AgentRun) -> float:
        return int(run.spaced_text) % 2 == 0

    for data in (range(4), iter(range(4)), numbered(4)):
        assert run_evals(data=data, target=saying_it, scorers=[is_even]).scores == {"is_even": 0.5}


def test_concurrency_overlaps_items_and_changes_no_result() -> None:
    under_way, most = 0, 0

    async def target(number: int) -> AgentRun:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        for _ in range(10 - number):  # later items overtake earlier ones
            await asyncio.sleep(0)
        under_way -= 1
        return run_saying(str(number / 10))

    def evaluated(concurrency: int) -> EvalResult:
        return run_evals(
            data=range(10), target=target, scorers=[(telling(), 0.3)], concurrency=concurrency
        )

    alone = evaluated(1)
    assert most == 1
    assert evaluated(4) == alone
    assert most == 4


def test_an_error_stops_the_items_under_way() -> None:
    ended: list[int] = []

    async def target(number: int) -> AgentRun:
        if number == 0:
            raise ValueError("first")
        await asyncio.sleep(60)
        ended.append(number)
        return run_saying("1")

    with pytest.raises(EvalError, match="ValueError: first"):
        run_evals(data=range(3), target=target, gates=[telling()], concurrency=3)
    assert ended == []


def test_gates_are_asked_before_scorers_item_by_item() -> None:
    calls: list[str] = []

    def noting(name: str) -> NamedScorer:
        def ask(run: AgentRun) -> float:
            calls.append(f"{name}{run.spaced_text}")
            return 1.0

        return NamedScorer(name, ask)

    scored(1, 2, gates=[noting("g"), noting("h")], scorers=[noting("s")])
    assert calls == ["g1", "h1", "s1", "g2", "h2", "s2"]


def test_a_running_event_loop_awaits_arun_evals() -> None:
    async def main() -> EvalResult:
        return await arun_evals(data=[1], target=saying_it, gates=[telling()])

    assert asyncio.run(main()) == gated(1)

"""Scorers that call out: what their answers become, and their limits."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from live_scoring import CheckResult, NotApplicable, create_scorer
from live_scoring.adapters.outside import Outside
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.core.scoring import Answer, CallLimits, Question, Scorer
from live_scoring.examples.judge import JudgeError
from tests.builders import run_saying

RUN = run_saying("hello")
PATIENT = CallLimits()


def scorer_of(question: Question, limits: CallLimits = PATIENT, name: str = "tone") -> Scorer:
    return Scorer(name, "scorer", "own", "f1", question, limits=limits)


def asked(question: Question, limits: CallLimits = PATIENT) -> Answer | None:
    return asyncio.run(Outside(sleep=no_wait).ask(scorer_of(question, limits), RUN))


async def no_wait(_: float) -> None:
    """Let no time pass."""


@dataclass
class Answers:
    """A scorer that answers or raises these, one by one."""

    left: list[Any]
    calls: int = 0

    async def __call__(self, _: AgentRun) -> Any:
        self.calls += 1
        answer = self.left.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


@dataclass
class Time:
    """Seconds that pass only while somebody sleeps."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        (0.5, CheckResult(0.5)),
        (True, CheckResult(1.0)),
        (CheckResult(1.0, "first\nsecond"), CheckResult(1.0, "first second", discreet="")),
        (CheckResult(1.0, "said 'x'", discreet="said"), CheckResult(1.0, "said 'x'", {}, "said")),
        (NotApplicable("no refund"), NotApplicable("no refund", discreet="")),
        (None, Failure("score", "MissingScore", "answered no score")),
        (1.5, Failure("score", "InvalidScore", "1.5 is not a number from 0 to 1")),
    ],
)
def test_an_answer_is_a_result_or_an_error(given: Any, answer: Answer) -> None:
    assert asked(lambda _: given) == answer
    assert asked(Answers([given])) == answer


def test_an_error_tells_what_was_raised_and_in_which_step() -> None:
    def generate_score(_: object) -> float:
        raise ValueError("no\ngood")

    scorer = create_scorer("tone", generate_score=generate_score)
    failure = Failure("score", "ValueError", "own: generate_score: ValueError: no good", "")
    assert asked(scorer.ask) == failure


def test_what_our_own_errors_say_may_always_be_told() -> None:
    def raising(_: object) -> float:
        raise JudgeError("the interface answered HTTP 503")

    failure = asked(raising)
    assert isinstance(failure, Failure)
    assert (failure.reason, failure.discreet) == ("JudgeError", None)


def test_a_call_that_cancels_itself_is_an_error() -> None:
    failure = asked(Answers([asyncio.CancelledError()]))
    assert isinstance(failure, Failure)
    assert failure.reason == "CancelledError"


def test_a_call_that_takes_too_long_is_given_up() -> None:
    async def never(_: AgentRun) -> float:
        await asyncio.Event().wait()
        return 1.0

    answer = asked(never, CallLimits(timeout_seconds=0.01))
    assert answer == Failure("score", "Timeout", "no answer within 0.01 s")


def test_a_scorer_whose_calls_never_end_is_asked_no_more() -> None:
    limits = CallLimits(timeout_seconds=0.001, concurrency=200)

    async def stubborn(_: AgentRun) -> float:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if is_over.is_set():
                    raise

    is_over = asyncio.Event()

    async def ask_all() -> Sequence[Answer | None]:
        outside = Outside()
        scorer = scorer_of(stubborn, limits)
        first = await asyncio.gather(*(outside.ask(scorer, RUN) for _ in range(100)))
        last = await outside.ask(scorer, RUN)
        is_over.set()
        return (*first, last)

    *first, last = asyncio.run(ask_all())
    assert {a.reason for a in first if isinstance(a, Failure)} == {"Timeout"}
    assert isinstance(last, Failure)
    assert last.reason == "Stuck"


def test_no_more_calls_than_allowed_are_under_way() -> None:
    under_way, most = 0, 0

    async def counting(_: AgentRun) -> float:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return 1.0

    async def ask_all() -> None:
        outside, scorer = Outside(), scorer_of(counting, CallLimits(concurrency=3))
        await asyncio.gather(*(outside.ask(scorer, RUN) for _ in range(20)))

    asyncio.run(ask_all())
    assert most == 3


def test_one_attempt_is_all_unless_retries_are_asked_for() -> None:
    question = Answers([ValueError("no"), 1.0])
    assert isinstance(asked(question), Failure)
    assert question.calls == 1


def test_a_call_is_tried_again_ever_later_until_it_answers() -> None:
    time = Time()
    question = Answers([ValueError("no"), 7.0, 1.0])
    outside = Outside(monotonic=time.monotonic, sleep=time.sleep)
    assert asyncio.run(outside.ask(scorer_of(question, CallLimits(retries=5)), RUN)) == CheckResult(
        1.0
    )
    assert time.slept == [0.5, 1.0]


def test_the_last_error_stands_when_retries_are_used_up() -> None:
    question = Answers([ValueError("first"), KeyError("last")])
    failure = asked(question, CallLimits(retries=1))
    assert isinstance(failure, Failure)
    assert failure.reason == "KeyError"


def test_not_applicable_is_no_reason_to_try_again() -> None:
    question = Answers([NotApplicable("no refund")])
    assert asked(question, CallLimits(retries=3)) == NotApplicable("no refund", discreet="")


def test_what_exceeds_the_budget_has_no_answer_until_a_minute_has_passed() -> None:
    time = Time()
    outside = Outside(monotonic=time.monotonic, sleep=time.sleep)
    scorer = scorer_of(lambda _: 1.0, CallLimits(budget_per_minute=2))

    async def ask_at(*moments: float) -> list[bool]:
        answers = []
        for time.now in moments:
            answers.append(await outside.ask(scorer, RUN) is not None)
        return answers

    asks = asyncio.run(ask_at(0.0, 30.0, 59.9, 60.0, 61.0, 90.0))
    assert asks == [True, True, False, True, False, True]


def test_a_retry_is_a_call_of_the_budget() -> None:
    question = Answers([ValueError("no"), 1.0])
    answer = asked(question, CallLimits(retries=1, budget_per_minute=1))
    assert isinstance(answer, Failure)
    assert question.calls == 1


def test_rules_that_are_alike_share_a_budget_and_others_do_not() -> None:
    limits = CallLimits(budget_per_minute=1)

    async def ask_all() -> list[bool]:
        outside = Outside()
        scorers = [scorer_of(lambda _: 1.0, limits, name=name) for name in ("a", "a", "b")]
        return [await outside.ask(scorer, RUN) is not None for scorer in scorers]

    assert asyncio.run(ask_all()) == [True, False, True]


def test_every_call_is_timed_under_its_scorers_name() -> None:
    durations: list[tuple[str, float]] = []
    time = Time()

    async def slow(_: AgentRun) -> float:
        time.now += 2.5
        return 1.0

    outside = Outside(lambda name, seconds: durations.append((name, seconds)), time.monotonic)
    asyncio.run(outside.ask(scorer_of(slow), RUN))
    assert durations == [("tone", 2.5)]

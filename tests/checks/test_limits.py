import pytest
from pydantic import ValidationError

from live_scoring.checks import CHECKS, build_check
from live_scoring.checks.limits import MaxCost, MaxDuration, MaxTokens
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult, NotApplicable
from live_scoring.core.scoring import Check
from tests.builders import run_saying


def is_within(check: Check, run: AgentRun) -> bool:
    answer = check(run)
    assert isinstance(answer, CheckResult)
    return answer.score == 1


def test_a_duration_is_compared_in_seconds() -> None:
    check = MaxDuration(seconds=2.3)
    assert check(run_saying(duration_ms=2_300)) == CheckResult.hit(
        "took 2.3 s, expected at most 2.3 s", actual_seconds=2.3
    )
    assert check(run_saying(duration_ms=2_301)) == CheckResult.miss(
        "took 2.301 s, expected at most 2.3 s", actual_seconds=2.301
    )


def test_tokens_are_those_the_run_reports_in_total() -> None:
    run = run_saying(total_tokens=100, input_tokens=10, output_tokens=20)
    assert MaxTokens(max=99)(run) == CheckResult.miss(
        "used 100 total tokens, expected at most 99", actual_count=100
    )


def test_without_a_total_it_is_input_plus_output() -> None:
    run = run_saying(input_tokens=10, output_tokens=20)
    assert is_within(MaxTokens(max=30), run)
    assert not is_within(MaxTokens(max=29), run)


def test_half_of_a_total_is_no_total() -> None:
    assert MaxTokens(max=9)(run_saying(output_tokens=20)) == NotApplicable(
        "the run reports no number of total tokens"
    )


def test_input_and_output_can_be_bounded_alone() -> None:
    run = run_saying(input_tokens=10, output_tokens=20)
    assert is_within(MaxTokens(max=15, count="input"), run)
    assert not is_within(MaxTokens(max=15, count="output"), run)


def test_cost_is_compared_in_dollars() -> None:
    assert MaxCost(usd=0.05)(run_saying(cost_usd=0.05)) == CheckResult.hit(
        "cost 0.05 USD, expected at most 0.05 USD", actual_usd=0.05
    )
    assert MaxCost(usd=0.05)(run_saying(cost_usd=0.06)) == CheckResult.miss(
        "cost 0.06 USD, expected at most 0.05 USD", actual_usd=0.06
    )


@pytest.mark.parametrize("name", ["max_duration", "max_tokens", "max_cost"])
def test_a_run_that_does_not_report_it_is_not_applicable(name: str) -> None:
    assert isinstance(build_check(CHECKS[name], 0)(run_saying()), NotApplicable)


@pytest.mark.parametrize("name", ["max_duration", "max_tokens", "max_cost"])
def test_nothing_used_is_within_a_limit_of_nothing(name: str) -> None:
    run = run_saying(duration_ms=0, total_tokens=0, cost_usd=0)
    assert is_within(build_check(CHECKS[name], 0), run)


@pytest.mark.parametrize("name", ["max_duration", "max_tokens", "max_cost"])
@pytest.mark.parametrize("limit", [-1, float("nan"), "1"])
def test_an_impossible_limit_is_refused(name: str, limit: object) -> None:
    with pytest.raises(ValidationError):
        build_check(CHECKS[name], limit)

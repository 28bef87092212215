import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from live_scoring.checks.arguments import NoRepeatedCalls
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from tests.builders import call, run_calling
from tests.checks.odd_runs import RUNS

SEARCH = call("search", args={"city": "Brooklyn", "days": 3})


def searching(*arguments: Any) -> AgentRun:
    return run_calling(*(call("search", args=given) for given in arguments))


def longest_row(*arguments: Any, **parameters: Any) -> int:
    count = NoRepeatedCalls(**parameters)(searching(*arguments)).findings["actual_count"]
    assert isinstance(count, int)
    return count


def test_more_equal_calls_in_a_row_than_allowed_are_a_loop() -> None:
    check = NoRepeatedCalls(max=2)
    assert check(run_calling(SEARCH, SEARCH)) == CheckResult.hit(
        "no call was made more than 2 times in a row", actual_count=2
    )
    assert check(run_calling("pay", SEARCH, SEARCH, SEARCH, "pay")) == CheckResult.miss(
        "called search 3 times in a row with nearly the same arguments, expected at most 2",
        actual_count=3,
        tool="search",
    )


def test_another_call_between_ends_the_row() -> None:
    assert NoRepeatedCalls(max=2)(run_calling(SEARCH, SEARCH, "pay", SEARCH, SEARCH)).score == 1
    assert longest_row({"q": "sun"}, {"q": "rain in Spain"}, {"q": "sun"}) == 1


def test_a_call_still_streaming_is_none() -> None:
    streaming = call("search", state="partial-call")
    assert NoRepeatedCalls(max=1)(run_calling(SEARCH, streaming, SEARCH)).score == 0


def test_the_order_of_keys_and_the_way_of_writing_do_not_count() -> None:
    one, other = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert longest_row(one, other, json.dumps(one), json.dumps(other, indent=2), cutoff=1) == 4
    assert longest_row(None, {}, cutoff=1) == 2


def test_nearly_the_same_arguments_are_a_repetition() -> None:
    asked = "What is the weather in Brooklyn today, in degrees?"
    assert longest_row({"q": asked}, {"q": asked.replace(",", " ")}) == 2
    assert longest_row({"q": asked}, {"q": asked.replace(",", " ")}, cutoff=1) == 1
    assert longest_row({"q": asked}, {"q": "Book a table for two in Queens tonight, please"}) == 1


def test_turning_pages_is_no_repetition() -> None:
    pages = [{"query": "everything about the weather in Brooklyn", "page": n} for n in range(5)]
    assert longest_row(*pages, cutoff=0) == 1


def test_long_arguments_repeat_only_if_they_are_equal() -> None:
    text = "a" * 1_000
    assert longest_row({"q": text}, {"q": text}) == 2
    assert longest_row({"q": text}, {"q": text[:-1] + "b"}) == 1


def test_only_the_first_500_calls_are_looked_at() -> None:
    others = [{"q": n} for n in range(497)]
    assert longest_row(*others, *[{}] * 5) == 3


def test_numbers_and_letters_beyond_the_quick_path_are_compared_too() -> None:
    assert longest_row({"q": 10**400}, {"q": 10**400}, {"q": "\ud83d"}, {"q": "\ud83d"}) == 2


def test_a_run_without_calls_has_no_loop() -> None:
    assert NoRepeatedCalls()(run_calling()).score == 1


@given(RUNS, st.integers(1, 3), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_cutoff_or_limit_passes_every_run_of_a_lower_one(
    run: AgentRun, limit: int, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    strict = NoRepeatedCalls(max=limit, cutoff=low)(run).score
    assert NoRepeatedCalls(max=limit, cutoff=high)(run).score >= strict
    assert NoRepeatedCalls(max=limit + 1, cutoff=low)(run).score >= strict


def test_a_limit_of_none_at_all_is_refused() -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        NoRepeatedCalls(max=0)

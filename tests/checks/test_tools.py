import pytest
from pydantic import ValidationError

from live_scoring.checks.tools import (
    AllowedTools,
    CalledTool,
    DidNotCall,
    MaxToolCalls,
    NoToolErrors,
    ToolOrder,
    ToolSucceeded,
    UsedNoTools,
)
from live_scoring.core.run import ToolInvocation
from live_scoring.core.score import CheckResult
from tests.builders import call, run_calling, run_saying


def test_called_tool_counts_the_calls() -> None:
    run = run_calling("search", "pay", "search")
    assert CalledTool(tool="search", times=2)(run) == CheckResult.hit(
        "called search 2 times, expected at least 2", actual_count=2
    )
    assert CalledTool(tool="search", times=3)(run).score == 0


def test_called_tool_without_any_call_says_so() -> None:
    assert CalledTool(tool="get_weather")(run_saying("hello")).reason == (
        "called get_weather 0 times, expected at least 1; no tool was called"
    )


def test_called_tool_asks_whether_a_like_name_was_meant() -> None:
    assert CalledTool(tool="get_wether")(run_calling("get_weather", "pay")).reason == (
        "called get_wether 0 times, expected at least 1; called: get_weather, pay; "
        "did you mean get_weather?"
    )


def test_called_tool_of_zero_times_always_passes() -> None:
    assert CalledTool(tool="search", times=0)(run_saying()).score == 1


def test_negative_times_are_refused() -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        CalledTool(tool="search", times=-1)


def test_times_as_text_is_refused() -> None:
    with pytest.raises(ValidationError, match="valid integer"):
        CalledTool.model_validate({"tool": "search", "times": "2"})


def test_a_call_whose_arguments_never_ended_is_no_call() -> None:
    run = run_calling(call("search", state="partial-call"), call("", state="result"))
    assert UsedNoTools()(run).score == 1
    assert CalledTool(tool="search")(run).score == 0


def test_two_equal_calls_with_two_ids_are_two() -> None:
    run = run_calling(call("pay", id="1"), call("pay", id="2"))
    assert MaxToolCalls(max=1)(run).score == 0


def test_did_not_call_counts_what_it_found() -> None:
    check = DidNotCall(tool="delete_user")
    assert check(run_calling("search")).score == 1
    assert check(run_calling("delete_user")) == CheckResult.miss(
        "called delete_user 1 time, expected none", actual_count=1
    )


def test_a_text_that_quotes_a_tool_has_not_called_it() -> None:
    assert DidNotCall(tool="delete_user")(run_saying("never call delete_user")).score == 1


def test_tool_order_allows_others_between() -> None:
    check = ToolOrder(expected_order=("search", "pay"))
    assert check(run_calling("search", "log", "pay")).score == 1
    assert check(run_calling("pay", "search")) == CheckResult.miss(
        "no pay in its place: expected search, pay in this order; called: pay, search",
        actual_tools=("pay", "search"),
    )


def test_no_order_is_always_kept() -> None:
    assert ToolOrder(expected_order=())(run_saying()).score == 1


def test_a_tool_twice_in_the_order_needs_two_calls() -> None:
    assert ToolOrder(expected_order=("pay", "pay"))(run_calling("pay")).score == 0


def test_max_tool_calls_says_how_many() -> None:
    assert MaxToolCalls(max=2)(run_calling("a", "b", "c")) == CheckResult.miss(
        "made 3 tool calls, expected at most 2", actual_count=3
    )
    assert MaxToolCalls(max=0)(run_saying()).score == 1


def test_used_no_tools_lists_at_most_ten() -> None:
    reason = UsedNoTools()(run_calling(*["search"] * 40)).reason
    assert reason == "expected no tool call; called: " + "search, " * 10 + "… (40 in all)"


def test_no_tool_errors_names_failed_and_unfinished_ones() -> None:
    run = run_calling(
        "search",
        call("pay", is_error=True),
        call("", state="call"),
        call("x", state="partial-call"),
    )
    assert NoToolErrors()(run) == CheckResult.miss(
        "2 of 4 tool invocations failed or never finished: pay, (no name)",
        failed_tools=("pay", "(no name)"),
    )
    assert NoToolErrors()(run_calling("search")).score == 1


def test_tool_succeeded_wants_a_call() -> None:
    assert ToolSucceeded(tool="pay")(run_calling("search", "pay")) == CheckResult.hit(
        "0 of 1 calls of pay failed or never finished", actual_count=1, failed_count=0
    )
    assert ToolSucceeded(tool="pay")(run_calling("pray")) == CheckResult.miss(
        "did not call pay; called: pray; did you mean pray?", actual_count=0, failed_count=0
    )


@pytest.mark.parametrize("failed", [call("pay", is_error=True), call("pay", state="call")])
def test_tool_succeeded_wants_no_failed_or_unfinished_call(failed: ToolInvocation) -> None:
    assert ToolSucceeded(tool="pay")(run_calling(failed, "pay")) == CheckResult.miss(
        "1 of 2 calls of pay failed or never finished, not the last",
        actual_count=2,
        failed_count=1,
    )


def test_tool_succeeded_does_not_mind_other_tools() -> None:
    run = run_calling(call("search", is_error=True), "pay", call("pay", state="partial-call"))
    assert ToolSucceeded(tool="pay")(run).score == 1


def test_with_retries_the_last_call_decides() -> None:
    check, failed = ToolSucceeded(tool="pay", allow_retries=True), call("pay", is_error=True)
    assert check(run_calling(failed, "pay")).score == 1
    assert check(run_calling("pay", failed)).reason == (
        "1 of 2 calls of pay failed or never finished, the last too"
    )


def test_allowed_tools_names_those_that_are_not() -> None:
    check = AllowedTools(tools=("search", "pay"))
    assert check(run_calling("pay", "pay")).score == 1
    assert check(run_calling("pay", "delete_user", "Search", "delete_user")) == CheckResult.miss(
        "called delete_user, Search; allowed: search, pay", strange_tools=("delete_user", "Search")
    )


def test_no_allowed_tool_allows_no_call() -> None:
    assert AllowedTools(tools=())(run_saying()).score == 1
    assert AllowedTools(tools=())(run_calling("search")).score == 0

from typing import Any

import pytest
from pydantic import ValidationError

from live_scoring.checks.arguments import CalledToolWith
from live_scoring.core.ecmascript import PatternTimeout
from live_scoring.core.score import CheckResult
from tests.builders import call, run_calling, run_saying

BROOKLYN = CalledToolWith(tool="search", args={"city": "Brooklyn", "days": 3})


def fits(wanted: dict[str, Any], args: Any, **parameters: Any) -> bool:
    check = CalledToolWith(tool="search", args=wanted, **parameters)
    return check(run_calling(call("search", args=args))).score == 1


def test_a_call_may_have_more_arguments_than_are_expected() -> None:
    run = run_calling(call("search", args={"days": 3, "city": "Brooklyn", "units": "C"}))
    assert BROOKLYN(run) == CheckResult.hit(
        "call 1 of 1 of search has these arguments", differences=()
    )


def test_in_mode_exact_it_has_no_others_at_any_depth() -> None:
    wanted, given = {"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}
    assert fits(wanted, given)
    assert not fits(wanted, given, mode="exact")
    assert fits(wanted, wanted, mode="exact")


def test_one_call_that_fits_is_enough() -> None:
    run = run_calling(
        call("search", args={}), "pay", call("search", args={"city": "Brooklyn", "days": 3})
    )
    assert BROOKLYN(run).reason == "call 2 of 2 of search has these arguments"


def test_the_nearest_call_is_shown_with_what_differs() -> None:
    run = run_calling(
        call("search", args={"city": "Bronx"}),
        call("search", args={"city": "Bronx", "days": 3}),
        call("search", args={"city": "Queens", "days": 3}),
    )
    assert BROOKLYN(run) == CheckResult.miss(
        "call 2 of 3 of search is nearest: args.city is 'Bronx', expected 'Brooklyn'",
        "call 2 of 3 of search is nearest: args.city is not 'Brooklyn'",
        differences=("args.city is 'Bronx', expected 'Brooklyn'",),
    )


def test_three_differences_are_told_and_twenty_kept() -> None:
    check = CalledToolWith(tool="search", args={}, mode="exact")
    answer = check(run_calling(call("search", args={f"k{n}": n for n in range(30)})))
    assert answer.reason.endswith(
        "args.k0 is unexpected; args.k1 is unexpected; args.k2 is unexpected; and 27 more"
    )
    assert len(answer.findings["differences"]) == 20


def test_another_tools_arguments_do_not_count() -> None:
    run = run_calling(call("find", args={"city": "Brooklyn", "days": 3}))
    assert BROOKLYN(run).reason == "did not call search; called: find"


def test_a_tool_that_was_probably_meant_is_named() -> None:
    assert BROOKLYN(run_calling("serach")).reason.endswith("called: serach; did you mean serach?")


def test_a_call_whose_arguments_were_still_streaming_does_not_count() -> None:
    fitting = {"city": "Brooklyn", "days": 3}
    assert BROOKLYN(run_calling(call("search", args=fitting, state="partial-call"))).score == 0
    assert BROOKLYN(run_calling(call("search", args=fitting, state="call"))).score == 1


def test_text_that_quotes_a_call_is_none() -> None:
    assert BROOKLYN(run_saying('search({"city": "Brooklyn", "days": 3})')).score == 0


def test_arguments_may_be_a_text_of_json() -> None:
    assert fits({"city": "Brooklyn"}, '{"city": "Brooklyn"}')
    answer = BROOKLYN(run_calling(call("search", args="Brooklyn")))
    assert answer.reason.endswith("nearest: args is 'Brooklyn', expected a mapping")


def test_only_the_first_thousand_calls_are_looked_at() -> None:
    fitting = call("search", args={"city": "Brooklyn", "days": 3})
    assert BROOKLYN(run_calling(*["search"] * 999, fitting)).score == 1
    assert BROOKLYN(run_calling(*["search"] * 1_000, fitting)).score == 0


def test_a_bad_matcher_is_refused_with_its_place() -> None:
    with pytest.raises(ValidationError, match=r"args\.a\[0\]\.\$regx: is no matcher; did you mean"):
        CalledToolWith.model_validate({"tool": "search", "args": {"a": [{"$regx": "^B"}]}})


def test_the_patterns_for_all_calls_share_one_limit() -> None:
    check = CalledToolWith(tool="search", args={"city": {"$regex": "^(a+)+$"}})
    with pytest.raises(PatternTimeout):
        check(run_calling(*[call("search", args={"city": "a" * 20 + "b"})] * 1_000))


def test_of_a_giant_number_the_size_is_told() -> None:
    answer = BROOKLYN(run_calling(call("search", args={"city": "Brooklyn", "days": 10**4_000})))
    assert answer.reason.endswith("args.days is a number of 13288 bits, expected 3")

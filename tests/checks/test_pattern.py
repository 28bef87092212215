import pytest
from pydantic import ValidationError

from live_scoring.checks.pattern import Matches
from live_scoring.core.score import CheckResult, Failure
from live_scoring.core.scoring import Scorer, score_run
from tests.builders import run_saying


def test_a_pattern_is_found_anywhere() -> None:
    check = Matches(pattern=r"\d+°[FC]")
    assert check(run_saying("now 72°F")) == CheckResult.hit(
        "pattern '\\\\d+°[FC]' matches the output"
    )
    assert check(run_saying("now warm")).score == 0


def test_exact_asks_for_the_whole_output() -> None:
    assert Matches(pattern="sun", exact=True)(run_saying("sunny")) == CheckResult.miss(
        "pattern 'sun' does not match the whole output"
    )


def test_flags_count() -> None:
    assert Matches(pattern="SUNNY", flags="i")(run_saying("sunny")).score == 1


def test_messages_are_joined_by_nothing() -> None:
    assert Matches(pattern="^foobar$")(run_saying("foo", "bar")).score == 1


def test_a_bad_pattern_is_refused_when_the_check_is_built() -> None:
    with pytest.raises(ValidationError, match=r"'foo\(' is no JavaScript pattern"):
        Matches(pattern="foo(")


def test_a_runaway_pattern_becomes_a_failure_of_that_name() -> None:
    check = Matches(pattern="^(a+)+$")
    answer = score_run(
        Scorer("runaway", "scorer", check.id, "0" * 12, check), run_saying("a" * 60 + "b")
    )
    assert isinstance(answer, Failure)
    assert answer.reason == "PatternTimeout"

from live_scoring.checks.text import Equals, Excludes, Includes
from live_scoring.core.score import CheckResult
from tests.builders import run_of, run_saying, saying


def test_includes_ignores_case_by_default() -> None:
    sunny = run_saying("it is sunny")
    assert Includes(expected="SUNNY")(sunny).score == 1
    assert Includes(expected="SUNNY", ignore_case=False)(sunny).score == 0


def test_includes_says_what_is_missing() -> None:
    assert Includes(expected="rain")(run_saying("it is sunny")) == CheckResult.miss(
        "output does not contain 'rain'"
    )


def test_a_quoted_text_is_cut() -> None:
    assert len(Includes(expected="x" * 5_000)(run_saying("y")).reason) < 150


def test_includes_joins_messages_by_one_space() -> None:
    assert Includes(expected="sunny and")(run_saying("it is sunny", "and warm")).score == 1
    assert Includes(expected="sunnyand")(run_saying("it is sunny", "and warm")).score == 0


def test_equals_joins_messages_by_nothing() -> None:
    assert Equals(expected="sunnyand")(run_saying("sunny", "and")).score == 1
    assert Equals(expected="sunny and")(run_saying("sunny", "and")).score == 0


def test_only_the_assistant_speaks() -> None:
    run = run_of(saying("sunny", role="user"), saying("rainy"))
    assert Includes(expected="sunny")(run).score == 0
    assert Equals(expected="rainy")(run).score == 1


def test_a_silent_run_includes_only_the_empty_text() -> None:
    assert Includes(expected="")(run_saying()).score == 1
    assert Equals(expected="")(run_saying()).score == 1
    assert Includes(expected="x")(run_saying()).score == 0


def test_half_an_emoji_is_included_in_the_whole() -> None:
    assert Includes(expected="\ud83d")(run_saying("😀")).score == 1
    assert Includes(expected="\ude00!")(run_saying("😀!")).score == 1
    assert Includes(expected="\ud83d!")(run_saying("😀!")).score == 0


def test_lower_case_is_not_case_folding() -> None:
    assert Equals(expected="STRASSE")(run_saying("straße")).score == 0
    assert Equals(expected="i\u0307")(run_saying("İ")).score == 1


def test_excludes_says_what_it_found() -> None:
    assert Excludes(unwanted="rm -rf")(run_saying("try RM -RF")) == CheckResult.miss(
        "output contains 'rm -rf'"
    )


def test_equals_shows_both_sides_with_line_breaks_escaped() -> None:
    assert Equals(expected="ok")(run_saying("not\nok")).reason == (
        "output is 'not\\nok' (6 characters), expected 'ok'"
    )

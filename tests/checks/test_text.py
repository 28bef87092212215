import pytest
from pydantic import ValidationError

from live_scoring.checks.text import Equals, Excludes, Includes, IncludesAll, IncludesAny, Length
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


def test_includes_any_is_content_with_one() -> None:
    check = IncludesAny(expected=("sunny", "WARM", "hot"))
    assert check(run_saying("it is hot and warm")) == CheckResult.hit(
        "output contains 'WARM'", found=("WARM", "hot")
    )
    assert check(run_saying("rain")) == CheckResult.miss(
        "output contains none of 'sunny', 'WARM', 'hot'", found=()
    )


def test_includes_all_names_what_is_missing() -> None:
    check = IncludesAll(expected=("sunny", "WARM", "hot"))
    assert check(run_saying("hot, warm, sunny")).score == 1
    assert check(run_saying("warm")) == CheckResult.miss(
        "output does not contain 'sunny', 'hot'", missing=("sunny", "hot")
    )


def test_case_can_count_for_several_texts() -> None:
    run = run_saying("it is sunny")
    assert IncludesAny(expected=("SUNNY",), ignore_case=False)(run).score == 0
    assert IncludesAll(expected=("SUNNY",), ignore_case=False)(run).score == 0


def test_several_texts_are_looked_for_in_the_first_250_000_characters() -> None:
    run = run_saying("." * 249_995 + "sunny", "warm")
    assert IncludesAny(expected=("warm",))(run).score == 0
    assert IncludesAll(expected=("sunny",))(run).score == 1


@pytest.mark.parametrize("expected", [[], ["x"] * 51, "sunny"])
@pytest.mark.parametrize("check", [IncludesAny, IncludesAll])
def test_several_texts_are_1_to_50(check: type[IncludesAny], expected: object) -> None:
    with pytest.raises(ValidationError):
        check.model_validate({"expected": expected})


def test_length_counts_characters_of_messages_joined_by_nothing() -> None:
    run = run_saying("añ", "😀")
    assert Length(max=3)(run) == CheckResult.hit(
        "output has 3 characters, expected at most 3", actual_length=3
    )
    assert Length(max=2)(run).score == 0


def test_length_counts_words_that_white_space_parts() -> None:
    assert Length(min=3, max=5, unit="words")(run_saying("it is", "sunny\n")).score == 1
    assert Length(min=3, max=5, unit="words")(run_saying("sunny")) == CheckResult.miss(
        "output has 1 words, expected at least 3 and at most 5", actual_length=1
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "has no bound; give min, max or both"),
        ({"min": 5, "max": 3}, "min 5 is above max 3; swap them"),
        ({"max": -1}, "greater than or equal to 0"),
        ({"max": 3, "unit": "lines"}, "'characters' or 'words'"),
    ],
)
def test_impossible_lengths_are_refused(parameters: object, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Length.model_validate(parameters)

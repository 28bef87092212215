import pytest
from pydantic import ValidationError

from live_scoring.checks.approximate import IncludesApprox
from tests.builders import run_saying


def test_a_misspelled_passage_is_found_and_quoted() -> None:
    answer = IncludesApprox(expected="Brooklyn Bridge", cutoff=0.8)(
        run_saying("Meet me at brooklin bridge at noon")
    )
    assert answer.score == 1
    assert "brooklin bridge" in answer.findings["passage"]
    assert answer.reason.startswith("nearest to 'Brooklyn Bridge' is 'brooklin bridge'")


def test_below_the_cutoff_the_nearest_passage_is_still_quoted() -> None:
    answer = IncludesApprox(expected="Brooklyn")(run_saying("sunny in Brooklin today"))
    assert (answer.score, answer.findings["similarity"]) == (0, 0.875)
    assert answer.reason == "nearest to 'Brooklyn' is 'brooklin': 0.8750, below 0.9"


def test_a_text_shorter_than_expected_is_not_taken_for_a_part_of_it() -> None:
    assert IncludesApprox(expected="Brooklyn")(run_saying("B")).score == 0


def test_case_can_count() -> None:
    run = run_saying("in BROOKLYN today")
    assert IncludesApprox(expected="Brooklyn")(run).score == 1
    assert IncludesApprox(expected="Brooklyn", ignore_case=False)(run).score == 0


def test_the_cutoff_is_inclusive() -> None:
    run = run_saying("in Brooklin today")
    assert IncludesApprox(expected="Brooklyn", cutoff=0.875)(run).score == 1


def test_empty_texts_are_included_in_every_text() -> None:
    assert IncludesApprox(expected="")(run_saying()).score == 1
    assert IncludesApprox(expected="")(run_saying("x")).score == 1
    assert IncludesApprox(expected="x")(run_saying()).score == 0


def test_only_the_first_twenty_thousand_characters_are_searched() -> None:
    answer = IncludesApprox(expected="Brooklyn")(run_saying("." * 20_000 + "Brooklyn"))
    assert answer.score == 0
    assert answer.reason.endswith("below 0.9 (first 20000 characters)")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"expected": "x" * 301}, "has 301 characters, above 300; shorten it"),
        ({"expected": "x", "cutoff": 90}, "less than or equal to 1"),
        ({"expected": "x", "cutoff": -0.1}, "greater than or equal to 0"),
    ],
)
def test_impossible_parameters_are_refused(parameters: object, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        IncludesApprox.model_validate(parameters)

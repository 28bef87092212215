from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from live_scoring.checks.similarity import Similarity
from live_scoring.core.code_units import to_code_units
from tests.builders import run_saying

MANY = "".join(chr(0x4E00 + i) for i in range(80))


def test_it_is_twice_the_shared_pairs_over_all_pairs() -> None:
    answer = Similarity(expected="night")(run_saying("nacht"))
    assert (answer.score, answer.findings) == (0.25, {"similarity": 0.25})
    assert answer.reason == "dice similarity 0.2500 to 'night'"


def test_a_pair_that_occurs_twice_counts_twice_if_both_have_it_twice() -> None:
    assert Similarity(expected="aaaa")(run_saying("aaa")).score == 2 * 2 / (3 + 2)


def naive_dice(left: str, right: str) -> float:
    pairs = [Counter(a + b for a, b in pairwise(to_code_units(t))) for t in (left, right)]
    return 2 * (pairs[0] & pairs[1]).total() / (pairs[0].total() + pairs[1].total())


@given(st.text("ab😀\ud83d", min_size=2), st.text("ab😀\ud83d", min_size=2), st.booleans())
def test_few_pairs_and_many_are_counted_alike(wanted: str, said: str, has_many: bool) -> None:
    expected = wanted + MANY if has_many else wanted
    assert Similarity(expected=expected)(run_saying(said)).score == naive_dice(expected, said)


@pytest.mark.parametrize("said", ["aab" * 200, "aaab" * 90, "a" * 500, "ba" * 130, "b"])
def test_a_pair_that_is_wanted_often_is_counted_alike(said: str) -> None:
    expected = "aab" * 150 + "aaa"
    assert Similarity(expected=expected)(run_saying(said)).score == naive_dice(expected, said)


def test_white_space_is_left_out_as_javascript_counts_it() -> None:
    assert Similarity(expected="sunny")(run_saying("s u\ufeffn\u00a0ny\n")).score == 1
    assert Similarity(expected="sunny")(run_saying("sun\x85ny")).score < 1
    assert Similarity(expected="sunny")(run_saying("sun\x1cny")).score < 1


JS_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


@given(st.text("ab😀\x1c\x1f\x85" + JS_SPACE))
def test_exactly_javascripts_white_space_is_left_out(text: str) -> None:
    solid = text.translate(dict.fromkeys(map(ord, JS_SPACE)))
    assert Similarity(expected=solid)(run_saying(text)).score == 1
    assert (Similarity(expected=solid + "\x1c")(run_saying(text)).score == 1) is False


def test_two_empty_texts_are_alike_and_a_single_letter_is_like_itself_only() -> None:
    assert Similarity(expected=" ")(run_saying()).score == 1
    assert Similarity(expected="a")(run_saying("a")).score == 1
    assert Similarity(expected="a")(run_saying("ab")).score == 0


def test_pairs_are_of_code_units() -> None:
    assert Similarity(expected="😀")(run_saying("😁")).score == 0
    assert Similarity(expected="x😀")(run_saying("x😁")).score == 0.5


def test_a_threshold_makes_it_pass_or_fail() -> None:
    run = run_saying("nacht")
    assert Similarity(expected="night", threshold=0.25)(run).score == 1
    assert Similarity(expected="night", threshold=0.3)(run).score == 0


def test_a_threshold_of_zero_counts_as_set() -> None:
    assert Similarity(expected="night", threshold=0)(run_saying("xyz")).score == 1


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("ratio", 0.6),
        ("partial_ratio", 0.6),
        ("token_sort_ratio", 0.6),
        ("token_set_ratio", 0.6),
        ("jaro_winkler", 0.76),
    ],
)
def test_the_measures_of_rapidfuzz_are_scaled_to_one(metric: str, expected: float) -> None:
    check = Similarity.model_validate({"expected": "night", "metric": metric})
    assert check(run_saying("nacht")).score == pytest.approx(expected, abs=0.01)


def test_the_order_of_words_can_be_left_out() -> None:
    check = Similarity(expected="sunny and warm", metric="token_sort_ratio")
    assert check(run_saying("warm and sunny")).score == 1


def test_an_expected_text_too_long_for_a_slow_measure_is_refused() -> None:
    with pytest.raises(ValidationError, match="1001 characters, above 1000 for ratio; shorten it"):
        Similarity(expected="x" * 1_001, metric="ratio")
    with pytest.raises(ValidationError, match="301 characters, above 300 for partial_ratio"):
        Similarity(expected="x" * 301, metric="partial_ratio")
    assert Similarity(expected="x" * 1_001)(run_saying("x" * 1_001)).score == 1


def test_dice_counts_the_first_100_000_characters_of_the_output() -> None:
    assert Similarity(expected="ab")(run_saying("ab".ljust(100_000) + "ab")).score == 1
    with pytest.raises(ValidationError, match="100001 characters, above 100000 for dice"):
        Similarity(expected="x" * 100_001)


def test_a_threshold_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValidationError, match="finite"):
        Similarity(expected="x", threshold=float("nan"))

"""What an argument may be, as a configuration writes it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from live_scoring.checks.arguments.expected import Mode
from live_scoring.checks.arguments.written import Reader
from tests.checks.odd_runs import JSON_VALUES


def misfits(wanted: Any, value: Any, mode: Mode = "subset") -> list[str]:
    return [m.told for m in Reader(mode).read(wanted, "args").misfits(value, "args")]


def fits(wanted: Any, value: Any) -> bool:
    return not misfits(wanted, value)


PLAIN = JSON_VALUES.filter(lambda value: "$" not in repr(value))


@given(PLAIN, st.sampled_from(("subset", "exact")))
def test_every_value_fits_itself(value: Any, mode: Mode) -> None:
    assert misfits(value, value, mode) == []
    assert misfits({"$literal": value}, value, mode) == []


@given(PLAIN, PLAIN)
def test_what_fits_exactly_fits_as_a_subset(wanted: Any, value: Any) -> None:
    assert misfits(wanted, value, "exact") or not misfits(wanted, value)


@given(PLAIN, PLAIN)
def test_a_value_fits_one_of_several_just_if_it_fits_one(wanted: Any, value: Any) -> None:
    assert fits({"$one_of": [wanted]}, value) == fits(wanted, value)
    assert fits({"$one_of": [wanted, {"$any": True}]}, value)


def test_numbers_are_equal_as_in_json() -> None:
    assert fits(1, 1.0)
    assert not fits(1, True)
    assert not fits(0, False)
    assert not fits(1, "1")


def test_lists_are_compared_item_by_item() -> None:
    assert fits([1, {"$any": True}], [1, 2])
    assert misfits([1, 2], [1, 3]) == ["args[1] is 3, expected 2"]
    assert misfits([1, 2], [1]) == ["args is a list of 1, expected a list of 2"]


def test_a_missing_argument_is_told_with_what_was_expected() -> None:
    assert misfits({"city": {"$regex": "^B"}}, {}) == [
        "args.city is missing, expected a text matching '^B'"
    ]
    assert misfits({"city": None}, {}) == ["args.city is missing, expected null"]


def test_any_value_has_to_be_there() -> None:
    assert fits({"city": {"$any": True}}, {"city": None})
    assert misfits({"city": {"$any": True}}, {}) == ["args.city is missing, expected any value"]


def test_regex_is_looked_for_in_texts_only() -> None:
    assert fits({"$regex": "^B"}, "Brooklyn")
    assert misfits({"$regex": "^B"}, "Queens") == [
        "args is 'Queens', expected a text matching '^B'"
    ]
    assert fits({"$regex": {"pattern": "^b", "flags": "i"}}, "Brooklyn")
    assert not fits({"$regex": "7"}, 72)


def test_near_includes_its_ends() -> None:
    near = {"$near": {"value": 72, "tolerance": 0.5}}
    assert fits(near, 71.5)
    assert fits(near, 72.5)
    assert misfits(near, 72.6) == ["args is 72.6, expected 72 ± 0.5"]
    assert not fits(near, "72")
    assert not fits({"$near": {"value": 1, "tolerance": 1}}, True)
    assert not fits(near, 10**400)


def test_approx_is_likeness_of_the_whole_text() -> None:
    assert fits({"$approx": "Brooklyn Bridge"}, "brooklin bridge")
    assert not fits({"$approx": {"value": "Brooklyn Bridge", "cutoff": 0.95}}, "brooklin bridge")
    assert not fits({"$approx": {"value": "Brooklyn", "ignore_case": False}}, "BROOKLYN")
    assert misfits({"$approx": "Brooklyn"}, "Bk") == ["args is 'Bk', expected about 'Brooklyn'"]
    assert not fits({"$approx": "1"}, 1)
    assert fits({"$approx": ""}, "")
    assert not fits({"$approx": ""}, "x")


def test_one_of_says_what_it_would_take() -> None:
    wanted = {"$one_of": ["C", {"$approx": "Fahrenheit"}, {"a": 1}]}
    assert fits(wanted, "fahrenheit")
    assert fits(wanted, {"a": 1, "b": 2})
    assert misfits(wanted, {"a": 2}) == [
        "args is a mapping of 1, expected one of 'C', about 'Fahrenheit', a mapping"
    ]


def test_literal_takes_keys_and_mappings_as_they_stand() -> None:
    wanted = {"filter": {"$literal": {"$regex": "^B", "options": {"i": True}}}}
    assert fits(wanted, {"filter": {"$regex": "^B", "options": {"i": True}}})
    assert not fits(wanted, {"filter": {"$regex": "^B", "options": {"i": True, "g": True}}})
    assert not fits(wanted, {"filter": "Brooklyn"})


def test_long_texts_and_keys_are_cut() -> None:
    (text,) = misfits({"k" * 500: "x" * 500}, {"k" * 500: "y" * 500})
    assert len(text) < 300

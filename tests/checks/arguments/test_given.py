from live_scoring.checks.arguments.given import arguments_of
from tests.builders import call


def test_arguments_that_are_a_text_of_json_are_parsed() -> None:
    assert arguments_of(call("search", args='{"city": "Brooklyn"}')) == {"city": "Brooklyn"}


def test_a_text_that_is_no_json_stays_a_text() -> None:
    assert arguments_of(call("search", args='{"city": "Bro')) == '{"city": "Bro'
    assert arguments_of(call("search", args="")) == ""
    assert arguments_of(call("search", args="[" * 5_000)) == "[" * 5_000


def test_no_arguments_are_an_empty_mapping() -> None:
    assert arguments_of(call("search", args=None)) == {}
    assert arguments_of(call("search", args="null")) is None

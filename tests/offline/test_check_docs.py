"""Every check documents itself."""

import json

import pytest

from live_scoring.checks import CHECKS
from live_scoring.core.errors import LiveScoringError
from live_scoring.offline.check_docs import docs_to_json, docs_to_text, document


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_says_what_it_does_and_what_each_parameter_means(name: str) -> None:
    (doc,) = document(CHECKS, name)
    assert doc.description
    assert [parameter.name for parameter in doc.parameters] == list(CHECKS[name].model_fields)
    for parameter in doc.parameters:
        assert parameter.description, parameter.name
        assert parameter.type, parameter.name


def test_a_check_is_documented_by_its_docstring_and_fields() -> None:
    assert list(docs_to_text(document(CHECKS, "called_tool"))) == [
        "called_tool (check-called-tool)",
        "  1 if `tool` was called at least `times` times, else 0; `times: 0` always passes.",
        "    tool: text, required",
        "      Name of the tool, exactly.",
        "    times: whole number from 0, default 1",
        "      How often at least.",
    ]


def test_all_checks_are_documented_in_their_order() -> None:
    assert [doc["name"] for doc in json.loads(docs_to_json(document(CHECKS)))] == list(CHECKS)


def test_a_name_that_is_no_check_is_an_error_that_asks_back() -> None:
    with pytest.raises(LiveScoringError, match="matchs: is no check; did you mean matches"):
        document(CHECKS, "matchs")

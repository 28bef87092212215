"""The checks answer as the reference did, score for score, on every case."""

from typing import Any

from live_scoring.checks import build_check, find_check
from live_scoring.core.score import CheckResult, Failure
from live_scoring.core.scoring import Check
from live_scoring.core.wire import to_json
from live_scoring.formats import decode
from tests.conformance.reading import payload_with, read_cases, run_with

_HAS = {"role", "content"}


def test_every_check_case_scores_as_the_reference_did() -> None:
    cases = read_cases("checks")
    assert [case for case in cases if score_of(case) != case["score"]] == []


def test_a_message_that_lacks_role_or_content_is_refused() -> None:
    """Where the reference reads silence: another format's messages must not pass for it."""
    outputs = [case["output"] for case in read_cases("checks")]
    lacking = [output for output in outputs if any(not item.keys() >= _HAS for item in output)]
    answers = [decode(to_json(payload_with(output))) for output in lacking]
    assert [a.reason for a in answers if isinstance(a, Failure)] == ["missing_field"] * 10


def score_of(case: dict[str, Any]) -> float:
    answer = check_of(case)(run_with(case["output"]))
    assert isinstance(answer, CheckResult)
    return answer.score


def check_of(case: dict[str, Any]) -> Check:
    check = find_check(case["check"])
    assert check is not None, case["check"]
    parameters = dict(zip(check.model_fields, case["args"], strict=False)) | case["options"]
    if isinstance(parameters.get("pattern"), dict):
        parameters["pattern"], parameters["flags"] = parameters["pattern"]["$regex"]
    return build_check(check, parameters)

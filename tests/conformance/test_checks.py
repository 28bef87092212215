"""The checks answer as the reference did, score for score, on every case."""

from typing import Any

from live_scoring.checks import build_check, find_check
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check
from tests.conformance.reading import read_cases, run_with


def test_every_check_case_scores_as_the_reference_did() -> None:
    cases = read_cases("checks")
    assert [case for case in cases if score_of(case) != case["score"]] == []


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

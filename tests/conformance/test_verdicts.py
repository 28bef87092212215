"""`run_evals` comes to the reference's verdicts, float for float and call for call."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from live_scoring import AgentRun, LiveScoringError, NotApplicable, run_evals
from live_scoring.core.scoring import Given, NamedScorer
from tests.conformance.reading import read_cases, run_with
from tests.conformance.test_checks import check_of

ERRORS = {
    "NO_SCORERS_PROVIDED": "nothing to run",
    "INVALID_SCORER_THRESHOLD": "threshold",
    "RUN_EXPERIMENT_SCORER_FAILED_TO_SCORE_RESULT": "boom",
}
"""What of our message tells the reference's errors apart."""


def test_every_verdict_case_ends_as_the_reference_did(capsys: pytest.CaptureFixture[str]) -> None:
    cases = read_cases("verdicts")
    comparable = [case for case in cases if not has_repeated_ids(case)]
    with capsys.disabled():
        print(f"\n{len(cases) - len(comparable)} of {len(cases)} verdicts skipped: shared ids")  # noqa: T201 -- asked for
    assert comparable
    assert [case["id"] for case in comparable if not is_as_expected(case)] == []


def has_repeated_ids(case: dict[str, Any]) -> bool:
    """Whether two gates or two scorers share an id: there this project raises on purpose."""
    for role in ("gates", "scorers"):
        ids = [scorer_of(entry, []).id for entry in case.get(role) or []]
        if len(set(ids)) < len(ids):
            return True
    return False


def is_as_expected(case: dict[str, Any]) -> bool:
    calls: list[str] = []
    gates = [scorer_of(entry, calls) for entry in case.get("gates") or []]
    scorers = [entry_of(entry, calls) for entry in case.get("scorers") or []]
    try:
        result = run_evals(data=case["data"], target=run_of_item, gates=gates, scorers=scorers)
    except LiveScoringError as error:
        is_same = "error" in case and ERRORS[case["error"]["id"]] in str(error)
    else:
        is_same = as_text(result.to_dict()) == as_text(case.get("result"))
    return is_same and calls == [call for call in case["calls"] if not call.startswith("check-")]


def as_text(result: Any) -> str:
    """The result with all numbers as floats, so that 1 equals 1.0, and NaN equals NaN."""
    return json.dumps(with_floats(result), sort_keys=True)


def run_of_item(item: dict[str, Any]) -> AgentRun:
    run = run_with(item.get("output") or [])
    return run.model_copy(update={"input": item.get("scores")})


def entry_of(entry: dict[str, Any], calls: list[str]) -> Any:
    if "scorer" not in entry:
        return scorer_of(entry, calls)
    return entry | {"scorer": scorer_of(entry, calls), "threshold": plain(entry["threshold"])}


def scorer_of(entry: dict[str, Any], calls: list[str]) -> NamedScorer:
    entry = entry.get("scorer", entry)
    if "const" not in entry:
        check = check_of(entry | {"options": entry.get("options", {})})
        return NamedScorer(check.id, check)
    name: str = entry["const"]

    def ask(run: AgentRun) -> Given:
        calls.append(name)
        answer = plain(run.input.get(name))
        if answer == "throw":
            raise RuntimeError(f"boom {name}")
        return NotApplicable() if answer == "notScorable" else answer

    return NamedScorer(name, ask)


def plain(value: Any) -> Any:
    """What a value of the case files stands for."""
    if isinstance(value, Mapping) and "$num" in value:
        return float(value["$num"])
    if isinstance(value, Mapping) and "$undefined" in value:
        return None
    return value


def with_floats(value: Any) -> Any:
    value = plain(value)
    if isinstance(value, Mapping):
        return {key: with_floats(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [with_floats(inner) for inner in value]
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return float(value) if is_number else value

"""The published schemas are those of the code, and what the code writes is valid by them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Score
from live_scoring.core.transition import Transition
from live_scoring.formats.score_json import SCORE_RECORD, encode_score
from live_scoring.formats.verdict_json import VERDICT_RECORD, encode_verdict
from tests.formats.strategies import NATIVE_RUNS, scores, transitions

ROOT = Path(__file__).parents[2]
GENERATED = {
    "run": AgentRun.model_json_schema(by_alias=False),
    "score": SCORE_RECORD.json_schema(),
    "verdict": VERDICT_RECORD.json_schema(),
}


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(file_of(name).read_text()))


def file_of(name: str) -> Path:
    return ROOT / "config" / "schema" / f"{name}.schema.json"


@pytest.mark.parametrize("name", GENERATED)
def test_a_schema_is_that_of_the_code(name: str, is_updating: bool) -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"live-scoring/{name}/v1",
    } | GENERATED[name]
    if is_updating:
        file_of(name).write_text(json.dumps(schema, indent=2) + "\n")
    Draft202012Validator.check_schema(schema)
    assert json.loads(file_of(name).read_text()) == schema


@given(NATIVE_RUNS)
def test_a_run_that_can_be_read_is_valid(run: dict[str, Any]) -> None:
    validator("run").validate(run)


@given(scores())
def test_a_written_score_is_valid(score: Score) -> None:
    validator("score").validate(json.loads(encode_score(score)))


@given(transitions())
def test_a_written_transition_is_valid(transition: Transition) -> None:
    validator("verdict").validate(json.loads(encode_verdict(transition)))

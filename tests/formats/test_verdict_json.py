"""Transitions on the wire, and their keys."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.score import Failure
from live_scoring.core.transition import Example, Transition
from live_scoring.core.verdict import Gate, RuleResult, Threshold, Verdict
from live_scoring.formats.verdict_json import decode_verdict, encode_verdict, verdict_key
from tests.formats.strategies import JSON_VALUES, TEXTS, transitions

TRANSITION = Transition(
    agent_id="weather",
    group="prod",
    window="5m",
    verdict=Verdict(
        "failed",
        (
            RuleResult(Gate("no-tool-errors"), "failed", 40, 1, 0, 0.975, "score"),
            RuleResult(Threshold("close", min=0.7), "passed", 40, 0, 0, 0.8),
        ),
    ),
    previous="passed",
    at_ms=1_793_534_402_000,
    scores_partition=3,
    scores_offset=120,
    config_hash="c0ffee",
    examples={"no-tool-errors": (Example("run-1", None, 0.0, "1 call failed", 1_793_534_401_000),)},
)


def test_a_transition_is_written_with_the_rules_and_runs_behind_it() -> None:
    assert json.loads(encode_verdict(TRANSITION)) == {
        "schema": "live-scoring/verdict/v1",
        "agent_id": "weather",
        "group": "prod",
        "window": "5m",
        "verdict": "failed",
        "previous": "passed",
        "at": "2026-11-01T12:00:02.000Z",
        "scores_partition": 3,
        "scores_offset": 120,
        "config_hash": "c0ffee",
        "gates": [
            {
                "name": "no-tool-errors",
                "status": "failed",
                "samples": 40,
                "failures": 1,
                "errors": 0,
                "average": 0.975,
                "cause": "score",
                "on_error": "fail",
                "min_samples": None,
                "pass_ratio": None,
                "min_failures": 1,
                "critical": False,
                "examples": [
                    {
                        "run_id": "run-1",
                        "trace_id": None,
                        "score": 0.0,
                        "reason": "1 call failed",
                        "run_timestamp": "2026-11-01T12:00:01.000Z",
                    }
                ],
            }
        ],
        "thresholds": [
            {
                "name": "close",
                "status": "passed",
                "samples": 40,
                "failures": 0,
                "errors": 0,
                "average": 0.8,
                "cause": None,
                "on_error": "ignore",
                "min_samples": None,
                "min": 0.7,
                "max": None,
                "examples": [],
            }
        ],
    }


@given(transitions())
def test_a_transition_reads_back_as_it_was_written(transition: Transition) -> None:
    assert decode_verdict(encode_verdict(transition)) == transition


def test_a_transition_amiss_is_refused_by_name() -> None:
    payload = encode_verdict(TRANSITION).replace(b'"cause":"score"', b'"cause":"luck"')
    detail = "gates[0].cause: Input should be 'score' or 'error'"
    assert decode_verdict(payload) == Failure("decode", "bad_field", detail)


@pytest.mark.parametrize("payload", [None, b"", b"{", b"[]"])
def test_what_is_no_transition_is_refused(payload: bytes | None) -> None:
    assert isinstance(decode_verdict(payload), Failure)


@given(st.binary() | st.builds(json.dumps, JSON_VALUES).map(str.encode))
def test_nothing_on_the_topic_raises(payload: bytes) -> None:
    assert isinstance(decode_verdict(payload), Failure)


@given(st.tuples(TEXTS, TEXTS, TEXTS))
def test_a_key_tells_agent_group_and_window(parts: tuple[str, str, str]) -> None:
    assert tuple(json.loads(verdict_key(*parts))) == parts

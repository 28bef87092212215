"""Transitions of verdicts as JSON, the records of the verdicts topic, and their keys."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses typing's own before Python 3.12

from live_scoring.core.decoding import read_record
from live_scoring.core.score import Failure
from live_scoring.core.transition import Example, Transition
from live_scoring.core.verdict import (
    Cause,
    Gate,
    OnError,
    Rule,
    RuleResult,
    RuleStatus,
    Threshold,
    Verdict,
    VerdictState,
)
from live_scoring.core.wire import Count, Share, Timestamp, to_json, to_rfc3339

SCHEMA = "live-scoring/verdict/v1"


class ExampleRecord(TypedDict):
    """A run that did not pass a rule."""

    run_id: str
    trace_id: str | None
    score: Share | None
    reason: str
    run_timestamp: Timestamp


class _RuleRecord(TypedDict):
    name: str
    status: RuleStatus
    samples: Count
    failures: Count
    errors: Count
    average: Share | None
    cause: Cause | None
    on_error: OnError
    min_samples: Count | None
    examples: list[ExampleRecord]


class GateRecord(_RuleRecord):
    """What a window said of a gate."""

    pass_ratio: Share | None
    min_failures: Count
    critical: bool


class ThresholdRecord(_RuleRecord):
    """What a window said of a threshold."""

    min: Share | None
    max: Share | None


class VerdictRecord(TypedDict):
    """A change of the verdict on one agent, group and window."""

    schema: Literal["live-scoring/verdict/v1"]
    agent_id: str
    group: str
    window: str
    verdict: VerdictState
    previous: VerdictState
    at: Timestamp
    scores_partition: Count
    scores_offset: Count
    config_hash: str
    gates: list[GateRecord]
    thresholds: list[ThresholdRecord]


VERDICT_RECORD = TypeAdapter(VerdictRecord)


def verdict_key(agent_id: str, group: str, window: str) -> bytes:
    """The key of a window's records: the three as a JSON list."""
    return to_json([agent_id, group, window])


def encode_verdict(transition: Transition) -> bytes:
    """Write a transition, its gates before its thresholds."""
    results, examples = transition.verdict.results, transition.examples
    return to_json(
        {
            "schema": SCHEMA,
            "agent_id": transition.agent_id,
            "group": transition.group,
            "window": transition.window,
            "verdict": transition.verdict.state,
            "previous": transition.previous,
            "at": to_rfc3339(transition.at_ms),
            "scores_partition": transition.scores_partition,
            "scores_offset": transition.scores_offset,
            "config_hash": transition.config_hash,
            "gates": [_encode(r, examples) for r in results if isinstance(r.rule, Gate)],
            "thresholds": [_encode(r, examples) for r in results if isinstance(r.rule, Threshold)],
        }
    )


def _encode(result: RuleResult, examples: Mapping[str, Sequence[Example]]) -> dict[str, Any]:
    return {
        "name": result.rule.name,
        "status": result.status,
        "samples": result.samples,
        "failures": result.failures,
        "errors": result.errors,
        "average": result.average,
        "cause": result.cause,
        "on_error": result.rule.on_error,
        "min_samples": result.rule.min_samples,
        **_own_fields(result.rule),
        "examples": [_encode_example(e) for e in examples.get(result.rule.name, ())],
    }


def _own_fields(rule: Rule) -> dict[str, Any]:
    match rule:
        case Gate():
            return {
                "pass_ratio": rule.pass_ratio,
                "min_failures": rule.min_failures,
                "critical": rule.critical,
            }
        case Threshold():
            return {"min": rule.min, "max": rule.max}


def _encode_example(example: Example) -> dict[str, Any]:
    return {
        "run_id": example.run_id,
        "trace_id": example.trace_id,
        "score": example.score,
        "reason": example.reason,
        "run_timestamp": to_rfc3339(example.run_timestamp_ms),
    }


def decode_verdict(payload: bytes | None) -> Transition | Failure:
    """Read a transition back, or tell why it is none; never raises."""
    record = read_record(VERDICT_RECORD, payload)
    if isinstance(record, Failure):
        return record
    rules = [*record["gates"], *record["thresholds"]]
    results = [_gate_result(gate) for gate in record["gates"]]
    results += [_threshold_result(threshold) for threshold in record["thresholds"]]
    return Transition(
        agent_id=record["agent_id"],
        group=record["group"],
        window=record["window"],
        verdict=Verdict(record["verdict"], tuple(results)),
        previous=record["previous"],
        at_ms=record["at"],
        scores_partition=record["scores_partition"],
        scores_offset=record["scores_offset"],
        config_hash=record["config_hash"],
        examples={r["name"]: _decode_examples(r["examples"]) for r in rules if r["examples"]},
    )


def _gate_result(record: GateRecord) -> RuleResult:
    gate = Gate(
        name=record["name"],
        pass_ratio=record["pass_ratio"],
        min_failures=record["min_failures"],
        on_error=record["on_error"],
        critical=record["critical"],
        min_samples=record["min_samples"],
    )
    return _result(gate, record)


def _threshold_result(record: ThresholdRecord) -> RuleResult:
    threshold = Threshold(
        name=record["name"],
        min=record["min"],
        max=record["max"],
        on_error=record["on_error"],
        min_samples=record["min_samples"],
    )
    return _result(threshold, record)


def _result(rule: Rule, record: _RuleRecord) -> RuleResult:
    return RuleResult(
        rule=rule,
        status=record["status"],
        samples=record["samples"],
        failures=record["failures"],
        errors=record["errors"],
        average=record["average"],
        cause=record["cause"],
    )


def _decode_examples(records: Sequence[ExampleRecord]) -> tuple[Example, ...]:
    return tuple(
        Example(
            run_id=record["run_id"],
            trace_id=record["trace_id"],
            score=record["score"],
            reason=record["reason"],
            run_timestamp_ms=record["run_timestamp"],
        )
        for record in records
    )

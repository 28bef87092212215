"""Scores on the wire: written flat, read back whole, refused where they are amiss."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.score import Failure, Score, Source
from live_scoring.formats.score_json import agent_key, decode_score, encode_score
from tests.formats.strategies import JSON_VALUES, scores

SCORE = Score(
    run_id="7c1f0e2ab94d4a0f8a3b5d6e7f809112",
    agent_id="agt_parcel_desk",
    group="prod/v42",
    scorer="no-tool-errors",
    kind="gate",
    check="check-no-tool-errors",
    fingerprint="9f2c41d07b1e",
    outcome="scored",
    score=1.0,
    reason="0 of 1 tool calls failed",
    error_type=None,
    error_message=None,
    sampling_rate=1.0,
    run_timestamp_ms=1_793_534_401_110,
    scored_at_ms=1_793_534_401_502,
    trace_id="7c1f0e2ab94d4a0f8a3b5d6e7f809112",
    conversation_id="conv_21",
    source=Source("otlp_spans", 2, 4711, 0),
)
RECORD = {
    "schema": "live-scoring/score/v1",
    "score_id": "2d98962732a7b894b0bf228ddd6e1d7c",
    "run_id": "7c1f0e2ab94d4a0f8a3b5d6e7f809112",
    "agent_id": "agt_parcel_desk",
    "group": "prod/v42",
    "scorer": "no-tool-errors",
    "kind": "gate",
    "check": "check-no-tool-errors",
    "fingerprint": "9f2c41d07b1e",
    "outcome": "scored",
    "score": 1.0,
    "reason": "0 of 1 tool calls failed",
    "error_type": None,
    "error_message": None,
    "sampling_rate": 1.0,
    "run_timestamp": "2026-11-01T12:00:01.110Z",
    "scored_at": "2026-11-01T12:00:01.502Z",
    "trace_id": "7c1f0e2ab94d4a0f8a3b5d6e7f809112",
    "conversation_id": "conv_21",
    "source_topic": "otlp_spans",
    "source_partition": 2,
    "source_offset": 4711,
    "replay": None,
}


def test_a_score_is_written_flat_in_this_order() -> None:
    written = json.loads(encode_score(SCORE))
    assert list(written.items()) == list(RECORD.items())


@given(scores())
def test_a_score_reads_back_as_it_was_written(score: Score) -> None:
    assert decode_score(encode_score(score)) == score


def test_the_timestamp_of_a_source_is_not_on_the_wire() -> None:
    placed = SCORE._replace(source=SCORE.source._replace(timestamp_ms=5))
    assert decode_score(encode_score(placed)) == SCORE


@pytest.mark.parametrize("ms", [-(10**18), 10**18])
def test_a_time_no_calendar_holds_is_written_all_the_same(ms: int) -> None:
    read = decode_score(encode_score(SCORE._replace(run_timestamp_ms=ms)))
    assert isinstance(read, Score)
    assert abs(read.run_timestamp_ms) < abs(ms)


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"schema": "live-scoring/score/v2"}, "schema: Input should be 'live-scoring/score/v1'"),
        ({"score": 1.5}, "score: Input should be less than or equal to 1"),
        ({"score": None}, "score: must be a number exactly when the outcome is `scored`"),
        ({"outcome": "error"}, "score: must be a number exactly when the outcome is `scored`"),
        ({"run_timestamp": 5}, "run_timestamp: Value error, not a text"),
        ({"scored_at": "2026-11-01T12:00:01"}, "scored_at: Value error, no time zone"),
        ({"source_offset": -1}, "source_offset: Input should be greater than or equal to 0"),
    ],
)
def test_a_record_amiss_is_refused_by_name(change: dict[str, Any], detail: str) -> None:
    payload = json.dumps(RECORD | change).encode()
    assert decode_score(payload) == Failure("decode", "bad_field", detail)


@pytest.mark.parametrize("missing", RECORD)
def test_every_field_is_required(missing: str) -> None:
    payload = json.dumps({name: RECORD[name] for name in RECORD if name != missing}).encode()
    answer = decode_score(payload)
    assert answer == Failure("decode", "missing_field", f"{missing}: Field required")


def test_a_tombstone_is_no_score() -> None:
    assert decode_score(None) == Failure("decode", "empty", "the record has no value")


@given(st.binary() | st.builds(json.dumps, JSON_VALUES).map(str.encode))
def test_nothing_on_the_topic_raises(payload: bytes) -> None:
    assert isinstance(decode_score(payload), Failure)


def test_the_key_of_an_agent_is_its_id_in_utf8() -> None:
    assert agent_key("météo") == "météo".encode()
    assert agent_key("a\ud83d") == "a\ufffd".encode()

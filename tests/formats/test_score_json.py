"""Scores on the wire: written flat, read back whole, refused where they are amiss."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from live_scoring.core.decoding import read_record
from live_scoring.core.score import Failure, Score, Source
from live_scoring.core.wire import to_ms
from live_scoring.formats.score_json import (
    SCORE_RECORD,
    agent_key,
    decode_score,
    encode_score,
    encode_scores,
)
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
SHARED = (
    *("run_id", "agent_id", "group", "run_timestamp_ms", "scored_at_ms", "trace_id"),
    *("conversation_id", "source", "replay", "text"),
)
"""What is the same in all scores of one run and one moment."""
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


@given(scores(), st.lists(scores(), max_size=3))
def test_scores_of_one_run_are_written_as_each_by_itself(first: Score, more: list[Score]) -> None:
    of_run = {name: getattr(first, name) for name in SHARED}
    all_of_run = [first, *(replace(score, **of_run) for score in more)]
    assert encode_scores(all_of_run) == [encode_score(score) for score in all_of_run]


@pytest.mark.parametrize("text", [None, "😀"])
def test_a_lone_surrogate_is_written_as_its_escape(text: str | None) -> None:
    score = replace(SCORE, run_id="run-\ud83d", text=text)
    assert rb'"run-\ud83d"' in encode_score(score)
    assert decode_score(encode_score(score)) == replace(
        score, source=score.source._replace(timestamp_ms=0)
    )


def test_the_timestamp_of_a_source_is_not_on_the_wire() -> None:
    placed = replace(SCORE, source=SCORE.source._replace(timestamp_ms=5))
    assert decode_score(encode_score(placed)) == SCORE


@pytest.mark.parametrize("ms", [-(10**18), 10**18])
def test_a_time_no_calendar_holds_is_written_all_the_same(ms: int) -> None:
    read = decode_score(encode_score(replace(SCORE, run_timestamp_ms=ms)))
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


def as_published(payload: bytes) -> Score | Failure:
    """What the published record makes of a payload, without a short cut."""
    found = read_record(SCORE_RECORD, payload)
    if isinstance(found, Failure):
        return found
    record: dict[str, Any] = {**found}
    if (record["score"] is None) == (record["outcome"] == "scored"):
        detail = "score: must be a number exactly when the outcome is `scored`"
        return Failure("decode", "bad_field", detail)
    place = [record.pop(f"source_{of}") for of in ("topic", "partition", "offset")]
    source = Source(place[0], place[1], place[2], 0)
    record |= {f"{of}_ms": to_ms(record.pop(of)) for of in ("run_timestamp", "scored_at")}
    return Score(source=source, **{n: record[n] for n in record.keys() - {"schema", "score_id"}})


def assert_is_as_published(payload: bytes) -> None:
    # As text, since -0.0 equals 0.0 and True equals 1.
    assert repr(decode_score(payload)) == repr(as_published(payload)), payload


PAYLOADS = [
    encode_score(SCORE),
    encode_score(replace(SCORE, outcome="error", score=None, error_type="E", error_message="é")),
    encode_score(replace(SCORE, run_id="\ud83d", score=0.3, trace_id=None, text="😀", replay="r")),
]
VALUES = [
    *(b'""', b'"x"', b'"1"', b'"0.5"', b'"null"', b'"scored"', b'"scorer"', b'"\xff"', b'"\n"'),
    *(rb'"\ud800"', rb'"\ud83d\ude00"', rb'"\u0000"', b'"\xed\xa0\x80"', b'"2026-11-01T12:00:01"'),
    *(b'"2026-11-01T12:00:01+01:00"', b'"2026-11-01 12:00:01.1234567Z"', b'"20261101T120001Z"'),
    *(b'"2026-11-31T12:00:01Z"', b'"2026-11-01T24:00:00Z"', b'"2026-11-01t12:00:01z"', b'"2026"'),
    *(
        b"null",
        b"true",
        b"false",
        b"NaN",
        b"Infinity",
        b"-Infinity",
        b"nul",
        b"",
        b" 1 ",
        b"[]",
        b"{}",
    ),
    *(
        b"0",
        b"-0",
        b"-0.0",
        b"1",
        b"-1",
        b"1.0",
        b"2.0",
        b"1e0",
        b"0.1e1",
        b"1e400",
        b"1e-400",
        b"01",
    ),
    *(
        b"1.",
        b".5",
        b"+1",
        b"1.0000000000000001",
        b"1.0000000000000002",
        b"0.1",
        b"-1e-400",
        b"0x1",
    ),
    *(b"9007199254740993", b"9223372036854775808", b"18446744073709551616", b"1" * 400, b"[" * 400),
]


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("name", RECORD | {"text": None, "later": None})
def test_whatever_a_field_holds_the_published_record_decides(payload: bytes, name: str) -> None:
    members = re.findall(rb'"\w+":(?:"[^"]*"|[^",}]+)', payload)
    of_name = [
        at for at, member in enumerate(members) if member.startswith(b'"%b":' % name.encode())
    ]
    for value in VALUES:
        member = b'"%b":%b' % (name.encode(), value)
        for at in of_name:
            rest = members[:at], members[at + 1 :]
            assert_is_as_published(b"{%b}" % b",".join((*rest[0], member, *rest[1])))
        assert_is_as_published(b"{%b}" % b",".join((*members, member)))
        assert_is_as_published(b"{%b}" % b",".join((member, *members)))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_whatever_byte_is_amiss_the_published_record_decides(payload: bytes) -> None:
    for at in range(len(payload)):
        assert_is_as_published(payload[:at])
        assert_is_as_published(payload[:at] + payload[at + 1 :])
        for byte in (b'"', b"\\", b"\n", b"\x00", b" ", b"\x7f", b"\xff", b"0", b"e", b"}", b","):
            assert_is_as_published(payload[:at] + byte + payload[at + 1 :])
            assert_is_as_published(payload[:at] + byte + payload[at:])


def test_a_tombstone_is_no_score() -> None:
    assert decode_score(None) == Failure("decode", "empty", "the record has no value")


@given(st.binary() | st.builds(json.dumps, JSON_VALUES).map(str.encode))
def test_nothing_on_the_topic_raises(payload: bytes) -> None:
    assert isinstance(decode_score(payload), Failure)


def test_the_key_of_an_agent_is_its_id_in_utf8() -> None:
    assert agent_key("météo") == "météo".encode()
    assert agent_key("a\ud83d") == "a\ufffd".encode()

"""Scores as flat JSON, the records of the scores topic, and their keys."""

from functools import lru_cache
from typing import Literal, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses typing's own before Python 3.12

from live_scoring.core.decoding import read_record, refuse
from live_scoring.core.run import to_utf8
from live_scoring.core.score import Failure, OutcomeKind, Score, ScorerKind, Source
from live_scoring.core.wire import Count, Share, Timestamp, to_json, to_rfc3339

SCHEMA = "live-scoring/score/v1"
_CACHE_SIZE = 1024
"""Answers are mostly a few reasons, again and again."""


class ScoreRecord(TypedDict):
    """How one scorer ended on one run."""

    schema: Literal["live-scoring/score/v1"]
    score_id: str
    run_id: str
    agent_id: str
    group: str
    scorer: str
    kind: ScorerKind
    check: str
    fingerprint: str
    outcome: OutcomeKind
    score: Share | None
    reason: str
    error_type: str | None
    error_message: str | None
    sampling_rate: Share
    run_timestamp: Timestamp
    scored_at: Timestamp
    trace_id: str | None
    conversation_id: str | None
    source_topic: str
    source_partition: Count
    source_offset: Count
    replay: str | None
    text: NotRequired[str]


SCORE_RECORD = TypeAdapter(ScoreRecord)


def agent_key(agent_id: str) -> bytes:
    """The key of an agent's records: its id in UTF-8, a lone surrogate as U+FFFD."""
    return to_utf8(agent_id)


def encode_score(score: Score) -> bytes:
    """Write a score; the timestamp of its source is left out.

    What the scores of one run, of one scorer or of one answer share is written once for all.
    """
    run_id, agent_id, group, scorer, kind, check, fingerprint, *answer, at_ms, now_ms = score[:15]
    head, tail = _of_run(run_id, agent_id, group, at_ms, now_ms, *score[15:])
    return b"".join(
        (
            _OPENING,
            score.score_id.encode(),
            head,
            _of_scorer(scorer, kind, check, fingerprint),
            _of_answer(*answer),
            tail,
        )
    )


_OPENING = to_json({"schema": SCHEMA})[:-1] + b',"score_id":"'


@lru_cache(16)
def _of_run(
    run_id: str,
    agent_id: str,
    group: str,
    at_ms: int,
    now_ms: int,
    trace_id: str | None,
    conversation_id: str | None,
    source: Source,
    replay: str | None,
    text: str | None,
) -> tuple[bytes, bytes]:
    """What stands before the scorer, and what ends the record."""
    head = {"run_id": run_id, "agent_id": agent_id, "group": group}
    tail = {
        "run_timestamp": to_rfc3339(at_ms),
        "scored_at": to_rfc3339(now_ms),
        "trace_id": trace_id,
        "conversation_id": conversation_id,
        "source_topic": source.topic,
        "source_partition": source.partition,
        "source_offset": source.offset,
        "replay": replay,
    }
    tail |= {} if text is None else {"text": text}
    return b'",' + to_json(head)[1:-1] + b",", to_json(tail)[1:]


@lru_cache(_CACHE_SIZE)
def _of_scorer(scorer: str, kind: ScorerKind, check: str, fingerprint: str) -> bytes:
    of_scorer = {"scorer": scorer, "kind": kind, "check": check, "fingerprint": fingerprint}
    return to_json(of_scorer)[1:-1] + b","


@lru_cache(_CACHE_SIZE)
def _of_answer(
    outcome: OutcomeKind,
    score: float | None,
    reason: str,
    error_type: str | None,
    error_message: str | None,
    sampling_rate: float,
) -> bytes:
    answer = {
        "outcome": outcome,
        "score": score,
        "reason": reason,
        "error_type": error_type,
        "error_message": error_message,
        "sampling_rate": sampling_rate,
    }
    return to_json(answer)[1:-1] + b","


def decode_score(payload: bytes | None) -> Score | Failure:
    """Read a score back, its source's timestamp as 0, or tell why it is none; never raises."""
    record = read_record(SCORE_RECORD, payload)
    if isinstance(record, Failure):
        return record
    if (record["score"] is None) == (record["outcome"] == "scored"):
        return refuse("bad_field", "score: must be a number exactly when the outcome is `scored`")
    return Score(
        run_id=record["run_id"],
        agent_id=record["agent_id"],
        group=record["group"],
        scorer=record["scorer"],
        kind=record["kind"],
        check=record["check"],
        fingerprint=record["fingerprint"],
        outcome=record["outcome"],
        score=record["score"],
        reason=record["reason"],
        error_type=record["error_type"],
        error_message=record["error_message"],
        sampling_rate=record["sampling_rate"],
        run_timestamp_ms=record["run_timestamp"],
        scored_at_ms=record["scored_at"],
        trace_id=record["trace_id"],
        conversation_id=record["conversation_id"],
        source=Source(
            record["source_topic"], record["source_partition"], record["source_offset"], 0
        ),
        replay=record["replay"],
        text=record.get("text"),
    )

"""Scores as flat JSON, the records of the scores topic, and their keys."""

from functools import lru_cache
from typing import Literal, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses typing's own before Python 3.12

from live_scoring.core.decoding import read_record, refuse
from live_scoring.core.run import to_utf8
from live_scoring.core.score import Failure, OutcomeKind, Score, ScorerKind, Source
from live_scoring.core.wire import Count, Share, Timestamp, to_json, to_rfc3339

_CACHE_SIZE = 4096


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
    """Write a score; the timestamp of its source is left out."""
    parts = (
        score.score_id.encode(),
        _members(_OF_RUN, score[:3]),
        _members(_OF_SCORER, score[3:7]),
        _members(_OF_ANSWER, score[7:13]),
        _ending(score[13:]),
    )
    return b'{"schema":"live-scoring/score/v1","score_id":"%b",%b,%b,%b,%b' % parts


_OF_RUN, _OF_SCORER, _OF_ANSWER = Score._fields[:3], Score._fields[3:7], Score._fields[7:13]


@lru_cache(_CACHE_SIZE)
def _members(names: tuple[str, ...], values: tuple[object, ...]) -> bytes:
    """Members of a JSON object, which scores of one run, of one scorer, or alike share."""
    return to_json(dict(zip(names, values, strict=True)))[1:-1]


@lru_cache(16)
def _ending(
    shared: tuple[int, int, str | None, str | None, Source, str | None, str | None],
) -> bytes:
    """How the scores of one run end."""
    at_ms, now_ms, trace_id, conversation_id, source, replay, text = shared
    members = {
        "run_timestamp": to_rfc3339(at_ms),
        "scored_at": to_rfc3339(now_ms),
        "trace_id": trace_id,
        "conversation_id": conversation_id,
        "source_topic": source.topic,
        "source_partition": source.partition,
        "source_offset": source.offset,
        "replay": replay,
    }
    return to_json(members if text is None else {**members, "text": text})[1:]


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

"""Scores as flat JSON, the records of the scores topic, and their keys."""

from functools import lru_cache
from typing import Literal, NotRequired

from msgspec import UNSET, MsgspecError, Struct, UnsetType
from msgspec.json import Decoder
from pydantic import TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses typing's own before Python 3.12

from live_scoring.core.decoding import read_record, refuse
from live_scoring.core.run import to_utf8
from live_scoring.core.score import Failure, OutcomeKind, Score, ScorerKind, Source
from live_scoring.core.wire import Count, Share, TimestampText, to_json, to_ms, to_rfc3339

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
    run_timestamp: TimestampText
    scored_at: TimestampText
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


class _Written(Struct, gc=False, forbid_unknown_fields=True):
    """A `ScoreRecord` as the worker writes it, field by field in this order."""

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
    run_timestamp: str
    scored_at: str
    trace_id: str | None
    conversation_id: str | None
    source_topic: str
    source_partition: Count
    source_offset: Count
    replay: str | None
    text: str | UnsetType = UNSET


_WRITTEN = Decoder(_Written)


def decode_score(payload: bytes | None) -> Score | Failure:
    """Read a score back, its source's timestamp as 0, or tell why it is none; never raises.

    What a worker writes is read in a third of the time that pydantic takes, which has the say
    on all else: what is a score too, such as one of a later version with more fields, or is none.
    """
    try:
        return _score_of(_WRITTEN.decode(payload or b""))
    except (MsgspecError, ValueError):
        record = read_record(SCORE_RECORD, payload)
        return record if isinstance(record, Failure) else _score_of(_Written(**record))


def _score_of(written: _Written) -> Score | Failure:
    if (written.score is None) == (written.outcome == "scored"):
        return refuse("bad_field", "score: must be a number exactly when the outcome is `scored`")
    return Score(
        written.run_id,
        written.agent_id,
        written.group,
        written.scorer,
        written.kind,
        written.check,
        written.fingerprint,
        written.outcome,
        written.score,
        written.reason,
        written.error_type,
        written.error_message,
        written.sampling_rate,
        to_ms(written.run_timestamp),
        to_ms(written.scored_at),
        written.trace_id,
        written.conversation_id,
        Source(written.source_topic, written.source_partition, written.source_offset, 0),
        written.replay,
        None if written.text is UNSET else written.text,
    )

"""Scores as flat JSON, the records of the scores topic, and their keys."""

from functools import lru_cache
from typing import Literal, NotRequired

from msgspec import UNSET, MsgspecError, Struct, UnsetType, to_builtins
from msgspec.json import Decoder, Encoder
from pydantic import TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses typing's own before Python 3.12

from live_scoring.core.decoding import read_record, refuse
from live_scoring.core.run import to_utf8
from live_scoring.core.score import Failure, OutcomeKind, Score, ScorerKind, Source
from live_scoring.core.wire import Count, Share, TimestampText, to_json, to_ms, to_rfc3339


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


_DECODER, _ENCODER = Decoder(_Written), Encoder()


def encode_score(score: Score) -> bytes:
    """Write a score; the timestamp of its source is left out."""
    topic, partition, offset, _ = score.source
    written = _Written(
        "live-scoring/score/v1",
        score.score_id,
        score.run_id,
        score.agent_id,
        score.group,
        score.scorer,
        score.kind,
        score.check,
        score.fingerprint,
        score.outcome,
        score.score,
        score.reason,
        score.error_type,
        score.error_message,
        score.sampling_rate,
        to_rfc3339(score.run_timestamp_ms),
        to_rfc3339(score.scored_at_ms),
        score.trace_id,
        score.conversation_id,
        topic,
        partition,
        offset,
        score.replay,
        UNSET if score.text is None else score.text,
    )
    try:
        return _ENCODER.encode(written)
    except UnicodeEncodeError:  # a lone surrogate
        return to_json(to_builtins(written))


def decode_score(payload: bytes | None) -> Score | Failure:
    """Read a score back, its source's timestamp as 0, or tell why it is none; never raises.

    What a worker writes is read in a third of the time that pydantic takes, which has the say
    on all else: what is a score too, such as one of a later version with more fields, or is none.
    """
    try:
        return _score_of(_DECODER.decode(payload or b""))
    except (MsgspecError, ValueError):
        record = read_record(SCORE_RECORD, payload)
        return record if isinstance(record, Failure) else _score_of(_Written(**record))


@lru_cache(16)
def _source(topic: str, partition: int, offset: int) -> Source:
    """Where the scores of one run come from."""
    return Source(topic, partition, offset, 0)


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
        _source(written.source_topic, written.source_partition, written.source_offset),
        written.replay,
        None if written.text is UNSET else written.text,
    )

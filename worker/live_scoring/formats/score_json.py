"""Scores as flat JSON, the records of the scores topic, and their keys."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NotRequired

from msgspec import UNSET, MsgspecError, Struct, UnsetType, to_builtins
from msgspec.json import Decoder, Encoder
from pydantic import TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses typing's own before Python 3.12

from live_scoring.core.decoding import read_record, refuse
from live_scoring.core.run import to_utf8
from live_scoring.core.score import Failure, OutcomeKind, Score, ScorerKind, Source, ids_of
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
    return encode_scores((score,))[0]


def encode_scores(scores: Sequence[Score]) -> list[bytes]:
    """Write scores, at least one, of one run and one moment; what they share is read once."""
    first = scores[0]
    topic, partition, offset, _ = first.source
    run_id, agent_id, group = first.run_id, first.agent_id, first.group
    whence = (
        to_rfc3339(first.run_timestamp_ms),
        to_rfc3339(first.scored_at_ms),
        first.trace_id,
        first.conversation_id,
        topic,
        partition,
        offset,
        first.replay,
        UNSET if first.text is None else first.text,
    )
    payloads = []
    for score_id, score in zip(ids_of(scores), scores, strict=True):
        written = _Written(
            "live-scoring/score/v1",
            score_id,
            run_id,
            agent_id,
            group,
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
            *whence,
        )
        try:
            payloads.append(_ENCODER.encode(written))
        except UnicodeEncodeError:  # a lone surrogate
            payloads.append(to_json(to_builtins(written)))
    return payloads


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

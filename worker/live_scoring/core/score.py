"""What scoring a run gives: a check's result, a published score, or a failure as a value."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import force_setattr

from live_scoring.core.wire import to_json

_CACHE_SIZE = 1024
REASON_LIMIT = 500
"""Characters of a reason at most."""

ScorerKind = Literal["gate", "scorer"]
OutcomeKind = Literal["scored", "not_applicable", "error"]
"""How a scorer that ran on a run ended; each is a record on the scores topic."""


def one_line(text: str) -> str:
    """Text as a single line of at most `REASON_LIMIT` characters."""
    line = " ".join(text.split())
    return line if len(line) <= REASON_LIMIT else line[: REASON_LIMIT - 1] + "…"


class CheckResult(Struct, frozen=True):
    """A check's answer: a score in 0..1, a reason in one line, and what it found, as data."""

    score: float
    reason: str = ""
    """Becomes one line of at most `REASON_LIMIT` characters, whoever wrote it."""
    findings: Mapping[str, Any] = {}
    discreet: str | None = None
    """The reason without any of the run's text; None where `reason` holds none."""

    def __post_init__(self) -> None:
        """Make the reason one line."""
        force_setattr(self, "reason", one_line(self.reason))
        if self.discreet is not None:
            force_setattr(self, "discreet", one_line(self.discreet))

    @classmethod
    def hit(cls, reason: str = "", discreet: str | None = None, **findings: object) -> Self:
        """A score of 1."""
        return cls(1.0, reason, findings, discreet)

    @classmethod
    def miss(cls, reason: str, discreet: str | None = None, **findings: object) -> Self:
        """A score of 0."""
        return cls(0.0, reason, findings, discreet)

    @classmethod
    def share(cls, score: float, reason: str, **findings: object) -> Self:
        """A score anywhere in 0..1."""
        return cls(score, reason, findings)


class NotApplicable(Struct, frozen=True):
    """A scorer's answer that the run is none of its business; it counts nowhere."""

    reason: str = ""
    """Becomes one line of at most `REASON_LIMIT` characters, whoever wrote it."""
    discreet: str | None = None
    """The reason without any of the run's text; None where `reason` holds none."""

    def __post_init__(self) -> None:
        """Make the reason one line."""
        force_setattr(self, "reason", one_line(self.reason))
        if self.discreet is not None:
            force_setattr(self, "discreet", one_line(self.discreet))


@dataclass(frozen=True, slots=True)
class Failure:
    """Work that a stage could not do, as a value."""

    stage: str
    """Where: `decode`, `assemble`, `score`, `publish`."""
    reason: str
    """Which of the stage's closed set of reasons, such as `not_json`."""
    detail: str = ""
    """What exactly, in one line."""
    discreet: str | None = None
    """The detail without any of the run's text; None where `detail` holds none."""


class Source(NamedTuple):
    """The Kafka record that a run came from."""

    topic: str
    partition: int
    offset: int
    timestamp_ms: int


class Score(Struct, frozen=True, gc=False):
    """How one scorer ended on one run: a record on the scores topic."""

    run_id: str
    agent_id: str
    group: str
    scorer: str
    kind: ScorerKind
    check: str
    fingerprint: str
    outcome: OutcomeKind
    score: float | None
    """In 0..1 exactly when the outcome is `scored`."""
    reason: str
    error_type: str | None
    error_message: str | None
    sampling_rate: float
    run_timestamp_ms: int
    """When the run is placed, in milliseconds since the epoch."""
    scored_at_ms: int
    trace_id: str | None
    conversation_id: str | None
    source: Source
    replay: str | None = None
    text: str | None = None
    """The head of the run's output, where texts may be told."""

    @property
    def score_id(self) -> str:
        """The same for a run scored again; another for another fingerprint."""
        return ids_of((self,))[0]


def ids_of(scores: Sequence[Score]) -> list[str]:
    """The `score_id` of each of some scores, at least one, of one run.

    Hashed is `["agent","run","scorer","fingerprint"]`, of which they share the first half.
    """
    of_run = hashlib.sha256(to_json([scores[0].agent_id, scores[0].run_id])[:-1])
    ids = []
    for score in scores:
        hashed = of_run.copy()
        hashed.update(_second_half(score.scorer, score.fingerprint))
        ids.append(hashed.hexdigest()[:32])
    return ids


@lru_cache(_CACHE_SIZE)  # all scores of a scorer share it
def _second_half(scorer: str, fingerprint: str) -> bytes:
    return b"," + to_json([scorer, fingerprint])[1:]

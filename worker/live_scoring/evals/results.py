"""What an evaluation gives: typed, frozen, and as the reference's JSON."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

EvalVerdict = Literal["passed", "scored", "failed"]
AnswerKind = Literal["scored", "missing", "not_applicable", "error"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Bounds(_Record):
    """Inclusive bounds on an average, 0..1, at least one of them."""

    min: float | None = None
    max: float | None = None


class Answered(_Record):
    """How one gate or scorer ended on one item."""

    id: str
    kind: AnswerKind
    score: float | None = None
    """The number, exactly when the kind is `scored`."""
    reason: str = ""
    """Why, in one line; of an error, what was raised."""
    findings: Mapping[str, Any] = Field(default_factory=dict)
    """What a check found; of a created scorer, each step's answer."""


class ItemResult(_Record):
    """What became of one item of the data."""

    index: int
    """Its place in the data, from 0."""
    run_id: str
    gates: tuple[Answered, ...]
    scorers: tuple[Answered, ...]


class GateResult(_Record):
    """A gate over all items it applied to."""

    id: str
    passed: bool
    """Whether the average is exactly 1."""
    score: float
    """The average; an item whose gate raised or gave no score counts 0."""


class ThresholdResult(_Record):
    """A scorer's average against its bounds."""

    id: str
    passed: bool
    average_score: float
    """Over all items it applied to; a missing score counts 0."""
    threshold: float | Bounds
    """As it was given; a number is a minimum."""


class Summary(_Record):
    """How much was evaluated."""

    total_items: int
    not_scorable: Mapping[str, int] | None = None
    """Items a gate or scorer did not apply to, by id; None where all applied to all."""


class EvalResult(_Record):
    """The outcome of an evaluation."""

    scores: Mapping[str, float]
    """Average of each scorer (not gate) over its scores, by id."""
    summary: Summary
    gate_results: tuple[GateResult, ...] = ()
    threshold_results: tuple[ThresholdResult, ...] = ()
    verdict: EvalVerdict | None = None
    """`failed` by a gate, else `scored` below a threshold, else `passed`; None without either."""
    items: tuple[ItemResult, ...] = Field(default=(), exclude=True)
    """Each item's own answers, in the order of the data; not part of the JSON."""

    def to_dict(self) -> dict[str, Any]:
        """The result as the reference writes it: camel case, without what is empty."""
        written = self.model_dump(mode="json", by_alias=True, exclude_none=True)
        for key in ("gateResults", "thresholdResults"):
            if not written[key]:
                del written[key]
        return written

"""Who judges an evaluation: gates and scorers as passed in, checked before anything runs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from live_scoring.core.errors import LiveScoringError
from live_scoring.core.scoring import NamedScorer
from live_scoring.evals.results import Bounds
from live_scoring.scorers import Scorable, name_scorer


class EvalError(LiveScoringError):
    """An evaluation that cannot start or cannot go on."""


Threshold = float | Mapping[str, float]
"""A minimum, or `min` and `max`, each inclusive and optional but not both left out."""


class BoundedScorer(TypedDict):
    """A scorer with its bounds, in the reference's form."""

    scorer: Scorable
    threshold: NotRequired[Threshold]


ScorerEntry = Scorable | tuple[Scorable, Threshold] | BoundedScorer


@dataclass(frozen=True, slots=True)
class TrackedScorer:
    """A scorer and what its average is held against, if anything."""

    scorer: NamedScorer
    threshold: float | Bounds | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """Gates and scorers, in the order in which they are asked."""

    gates: tuple[NamedScorer, ...]
    scorers: tuple[TrackedScorer, ...]


def make_panel(gates: Sequence[Scorable], scorers: Sequence[ScorerEntry]) -> Panel:
    """Read gates and scorers.

    Raises:
        EvalError: There is none, two gates or two scorers share an id, or bounds are impossible.
        ScorerError: Something stands there that is no scorer.
    """
    panel = Panel(tuple(map(name_scorer, gates)), tuple(map(_tracked, scorers)))
    if not panel.gates and not panel.scorers:
        raise EvalError("nothing to run: give at least one gate or scorer")
    _refuse_repeats("gates", (gate.id for gate in panel.gates))
    _refuse_repeats("scorers", (tracked.scorer.id for tracked in panel.scorers))
    return panel


def _refuse_repeats(where: str, ids: Iterable[str]) -> None:
    for repeated, times in Counter(ids).items():
        if times > 1:
            raise EvalError(f"{where}: {times} of them are {repeated}; tell them apart by name=")


def _tracked(entry: ScorerEntry) -> TrackedScorer:
    if isinstance(entry, tuple):
        scorer, threshold = entry
        return _bounded(scorer, threshold)
    if isinstance(entry, Mapping):
        return _bounded(entry["scorer"], entry.get("threshold"))
    return TrackedScorer(name_scorer(entry))


def _bounded(scorer: Scorable, threshold: Threshold | None) -> TrackedScorer:
    named = name_scorer(scorer)
    where = f"scorers: {named.id}: threshold"
    if threshold is None:
        return TrackedScorer(named)
    if not isinstance(threshold, Mapping):
        return TrackedScorer(named, _bound(where, threshold))
    if not threshold or not threshold.keys() <= {"min", "max"}:
        raise EvalError(f"{where}: has {sorted(threshold)}; give min or max or both")
    bounds = Bounds(**{key: _bound(f"{where}.{key}", threshold[key]) for key in threshold})
    if bounds.min is not None and bounds.max is not None and bounds.min > bounds.max:
        raise EvalError(f"{where}: min {bounds.min} is above max {bounds.max}; exchange them")
    return TrackedScorer(named, bounds)


def _bound(where: str, value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise EvalError(f"{where}: {value!r} is out of bounds; give a number from 0 to 1")

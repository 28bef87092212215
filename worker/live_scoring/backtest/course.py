"""The course of one window's verdict over a range: its spells, its changes, and advice on gates."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import get_args

from live_scoring.core.timeline import Stretch, WindowHistory
from live_scoring.core.transition import Example
from live_scoring.core.verdict import Gate, RuleResult, Verdict, VerdictState
from live_scoring.core.window import PANES, WindowSpec

VERDICTS: tuple[VerdictState, ...] = get_args(VerdictState)
_RATIO_UNITS = 10_000
"""Ratios are advised in steps of 0.0001, rounded down, so that what is advised holds."""

FindFailing = Callable[[str, int, int], tuple[Example, ...]]
"""The newest runs that failed a rule after a moment and up to another."""


@dataclass(frozen=True, slots=True)
class Spell:
    """A row of pane ends with one verdict."""

    state: VerdictState
    first_ms: int
    """The first pane end, in milliseconds since the epoch."""
    ends: int


@dataclass(frozen=True, slots=True)
class Blame:
    """A rule behind a change of a verdict."""

    result: RuleResult
    """As it stood after the change."""
    examples: tuple[Example, ...]
    """Runs that failed it, newest first; none where it recovered."""


@dataclass(frozen=True, slots=True)
class Change:
    """A verdict that became another."""

    at_ms: int
    """The first pane end with the new one, in milliseconds since the epoch."""
    previous: VerdictState
    state: VerdictState
    blames: tuple[Blame, ...]
    """The rules that fail; where none does, those that failed before and no longer do."""


@dataclass(frozen=True, slots=True)
class RatioAdvice:
    """Of a gate that was never green, though runs were enough: what `pass_ratio` would have been.

    Each is the largest ratio that holds, or 0; `min_failures` is left at 1.
    """

    gate: str
    always: float
    """Green at every pane end with enough runs: the lowest share of passing runs seen."""
    ever: float
    """Green at one pane end at least: the highest share seen. Above it the gate is never green."""


@dataclass(frozen=True, slots=True)
class Course:
    """What one policy would have said of one window over the range."""

    pane_ms: int
    spells: tuple[Spell, ...]
    """In order, without a gap; at least one."""
    changes: tuple[Change, ...]
    advice: tuple[RatioAdvice, ...]

    @property
    def ends(self) -> int:
        """How many pane ends there are, from the range's first to its last."""
        return sum(spell.ends for spell in self.spells)

    @property
    def shares(self) -> Mapping[VerdictState, float]:
        """Share of the pane ends with each verdict; each end stands for its pane."""
        return {
            state: sum(s.ends for s in self.spells if s.state == state) / self.ends
            for state in VERDICTS
        }

    @property
    def last(self) -> VerdictState:
        """The verdict at the range's last pane end."""
        return self.spells[-1].state

    @property
    def into_failed(self) -> int:
        """How often it became `failed`."""
        return sum(change.state == "failed" for change in self.changes)


def course_of(history: WindowHistory, find_failing: FindFailing) -> Course | None:
    """Follow a window; None without gates and thresholds. Reads the history's stretches."""
    if history.before is None:
        return None
    following = _Following(history.window, history.before, find_failing)
    for stretch in history.stretches:
        following.take(stretch)
    return following.conclude()


@dataclass(slots=True)
class _Shares:
    """Of one gate the shares of passing runs, where they were enough, in 0.0001 rounded down."""

    is_ever_green: bool = False
    lowest: int = _RATIO_UNITS
    highest: int = -1

    def take(self, result: RuleResult, min_samples: int) -> None:
        self.is_ever_green |= result.status == "passed"
        if result.samples >= max(1, min_samples):
            share = (result.samples - result.failures) * _RATIO_UNITS // result.samples
            self.lowest, self.highest = min(self.lowest, share), max(self.highest, share)


@dataclass(slots=True)
class _Following:
    """A course under way."""

    window: WindowSpec
    verdict: Verdict
    find_failing: FindFailing
    spells: list[Spell] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    shares: dict[str, _Shares] = field(default_factory=dict)

    def take(self, stretch: Stretch) -> None:
        verdict = stretch.verdict
        if verdict is None:
            return
        if verdict.state != self.verdict.state:
            blames = tuple(self._blames(verdict, stretch.first_ms))
            self.changes.append(Change(stretch.first_ms, self.verdict.state, verdict.state, blames))
        self._extend(verdict.state, stretch)
        for result in verdict.results:
            if isinstance(result.rule, Gate):
                self._share(result, result.rule)
        self.verdict = verdict

    def _extend(self, state: VerdictState, stretch: Stretch) -> None:
        if self.spells and self.spells[-1].state == state:
            last = self.spells.pop()
            self.spells.append(Spell(state, last.first_ms, last.ends + stretch.ends))
        else:
            self.spells.append(Spell(state, stretch.first_ms, stretch.ends))

    def _share(self, result: RuleResult, gate: Gate) -> None:
        asked = self.window.min_samples if gate.min_samples is None else gate.min_samples
        self.shares.setdefault(gate.name, _Shares()).take(result, asked)

    def _blames(self, verdict: Verdict, end_ms: int) -> Iterator[Blame]:
        since_ms = end_ms - PANES * self.window.pane_ms
        for result in verdict.failing:
            yield Blame(result, self.find_failing(result.rule.name, since_ms, end_ms))
        if not verdict.failing:
            yield from self._recovered(verdict.results)

    def _recovered(self, results: Iterable[RuleResult]) -> Iterator[Blame]:
        failed = {result.rule.name for result in self.verdict.failing}
        return (Blame(result, ()) for result in results if result.rule.name in failed)

    def conclude(self) -> Course:
        advice = tuple(
            RatioAdvice(gate, shares.lowest / _RATIO_UNITS, shares.highest / _RATIO_UNITS)
            for gate, shares in self.shares.items()
            if shares.highest >= 0 and not shares.is_ever_green
        )
        return Course(self.window.pane_ms, tuple(self.spells), tuple(self.changes), advice)

"""Runs that pass a rule under one policy and not under the other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from live_scoring.backtest.failing import Newest, example_of
from live_scoring.core.pipeline import AgentPlan
from live_scoring.core.score import Score
from live_scoring.core.transition import Example
from live_scoring.core.verdict import passes

_NAMED = 100
"""Runs of each kind that are kept by name; the others are counted."""


@dataclass(frozen=True, slots=True)
class RuleFlips:
    """What changes for one rule, matched by name, of one agent and group."""

    rule: str
    broken: int
    """Runs that pass it under the old policy and fail it under the new one."""
    broken_examples: tuple[Example, ...]
    """With the new policy's reasons, newest first."""
    mended: int
    """Runs that fail it under the old policy and pass it under the new one."""
    mended_examples: tuple[Example, ...]
    """With the old policy's reasons, newest first."""


class Flips:
    """Those of one agent and group."""

    def __init__(self) -> None:
        """Start with none."""
        self._broken: dict[str, Newest] = {}
        self._mended: dict[str, Newest] = {}
        self._counts: dict[str, list[int]] = {}

    def compare(
        self, new: Mapping[str, Score], old: Mapping[str, Score], plans: tuple[AgentPlan, AgentPlan]
    ) -> None:
        """Compare how a run ended under the new and under the old plan.

        Only rules that judge the run under both count: one that is sampled out or not
        applicable is neither passed nor failed.
        """
        for name, is_passed in _effects(new, plans[0]):
            was_passed = dict(_effects(old, plans[1])).get(name)
            if was_passed is not None and was_passed != is_passed:
                self._note(name, new[name] if was_passed else old[name], was_passed=was_passed)

    def _note(self, rule: str, score: Score, *, was_passed: bool) -> None:
        side = self._broken if was_passed else self._mended
        side.setdefault(rule, Newest(_NAMED)).add(example_of(score))
        self._counts.setdefault(rule, [0, 0])[not was_passed] += 1

    def conclude(self) -> tuple[RuleFlips, ...]:
        """All of them, by rule."""
        return tuple(
            RuleFlips(
                rule,
                broken,
                tuple(self._broken.get(rule, ())),
                mended,
                tuple(self._mended.get(rule, ())),
            )
            for rule, (broken, mended) in sorted(self._counts.items())
        )


def _effects(scores: Mapping[str, Score], plan: AgentPlan) -> Iterator[tuple[str, bool]]:
    for rule in plan.rules:
        score = scores.get(rule.name)
        if score is not None and score.outcome != "not_applicable":
            yield rule.name, passes(rule, score.score)

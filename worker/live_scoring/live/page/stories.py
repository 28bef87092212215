"""Why an agent does not pass: its failing rules, their figures, and runs behind them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

from live_scoring.checks import CHECKS
from live_scoring.core.figures import figures_of
from live_scoring.core.pipeline import Plan
from live_scoring.core.quote import printable
from live_scoring.core.run import to_utf8
from live_scoring.core.score import Failure
from live_scoring.core.scoring import Check
from live_scoring.core.transition import Example, Transition
from live_scoring.core.verdict import RuleResult
from live_scoring.formats.verdict_json import decode_verdict
from live_scoring.live.fleet import Standing
from live_scoring.live.page import words
from live_scoring.live.page.sight import Sight

EXAMPLES = 3
"""Runs that are shown of a rule."""
WITHHELD = "reason not shown, as it may quote the run"

_QUOTING = {"called_tool_with", "equals", "includes_approx", "json_schema"}
_SILENT: frozenset[type[Check]] = frozenset(
    check for name, check in CHECKS.items() if name not in _QUOTING
)
"""Checks whose reasons hold numbers, names of tools and their own parameters, and no run's text."""


@dataclass(frozen=True, slots=True)
class ExampleView:
    """A run that did not pass."""

    run_id: str
    link: str | None
    """Its trace."""
    reason: str
    """`WITHHELD` where it may quote the run and texts are not to be shown."""
    age: str
    at: str


@dataclass(frozen=True, slots=True)
class Figure:
    """What a rule came to when the verdict changed, in one window or in several alike."""

    windows: str
    words: str


@dataclass(frozen=True, slots=True)
class Story:
    """A rule that fails, in one window or several."""

    rule: str
    kind: str
    figures: tuple[Figure, ...]
    examples: tuple[ExampleView, ...]


def stories_of(standings: Iterable[Standing], sight: Sight) -> tuple[Story, ...]:
    """The failing rules of one agent and group, gates first.

    Args:
        standings: Its windows, the shortest first.
        sight: What may be shown, and when.
    """
    found: dict[str, list[tuple[Transition, RuleResult]]] = {}
    for transition in _transitions(standings):
        for result in transition.verdict.failing:
            found.setdefault(result.rule.name, []).append((transition, result))
    return tuple(_story(rule, told, sight) for rule, told in found.items())


def _transitions(standings: Iterable[Standing]) -> Iterator[Transition]:
    for standing in standings:
        transition = decode_verdict(standing.record)
        if not isinstance(transition, Failure):
            yield transition


def _story(rule: str, told: list[tuple[Transition, RuleResult]], sight: Sight) -> Story:
    examples: dict[str, ExampleView] = {}
    for transition, _ in told:
        for example in transition.examples.get(rule, ()):
            examples.setdefault(example.run_id, _example(example, rule, transition, sight))
    alike: dict[str, list[str]] = {}
    for transition, result in told:
        alike.setdefault(figures_of(result), []).append(transition.window)
    return Story(
        printable(rule),
        words.kind_of(told[0][1]),
        tuple(Figure(", ".join(windows), said) for said, windows in alike.items()),
        tuple(examples.values())[:EXAMPLES],
    )


def _example(example: Example, rule: str, transition: Transition, sight: Sight) -> ExampleView:
    is_shown = sight.shows_text or _is_silent(example, rule, transition, sight.plan)
    return ExampleView(
        printable(example.run_id),
        _link(sight.trace_link, example.trace_id),
        printable(example.reason) if is_shown else WITHHELD,
        words.age(sight.now_ms - example.run_timestamp_ms),
        words.moment(example.run_timestamp_ms),
    )


def _is_silent(example: Example, rule: str, transition: Transition, plan: Plan) -> bool:
    """Whether the reason is known to quote nothing: not an error's, nor another plan's check's."""
    agent = plan.find(transition.agent_id)
    if agent is None or transition.config_hash != plan.config_hash or example.score is None:
        return False
    return any(scorer.name == rule and type(scorer.run) in _SILENT for scorer in agent.scorers)


def _link(template: str | None, trace_id: str | None) -> str | None:
    if not template or not trace_id:
        return None
    return template.replace("{trace_id}", quote(to_utf8(trace_id), safe=""))

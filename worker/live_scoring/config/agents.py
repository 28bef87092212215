"""`defaults.yaml` and `agents/*.yaml`: what each agent is asked and judged by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field, ValidationError

from live_scoring.config.problems import Problems
from live_scoring.config.rule_reader import OptionsT, RuleSet, read_rules
from live_scoring.config.rules import OPTIONS, GateOptions, Rule, ScorerOptions
from live_scoring.config.values import Name, Pattern, Section
from live_scoring.core.nearest import remedy_for

MAX_RULES = 64
"""A window notes in 64 bits which scorers of a run it has counted."""


def _without_repeats(values: tuple[str, ...]) -> tuple[str, ...]:
    twice = next((value for value in values if values.count(value) > 1), None)
    if twice:
        raise ValueError(f"names {twice!r} twice; keep one")
    return values


Names = Annotated[tuple[Name, ...], Field(min_length=1), AfterValidator(_without_repeats)]


class DefaultsFile(Section):
    """`defaults.yaml`: rules of every agent unless its file says `name: null`."""

    gates: dict[str, Any] = Field(default_factory=dict)
    """Rules by name that every run must pass, or a stated share of them."""
    scorers: dict[str, Any] = Field(default_factory=dict)
    """Rules by name whose average is tracked, and bounded by a threshold."""


class AgentFile(DefaultsFile):
    """One file of `agents/`."""

    agent: Pattern
    """Agent id, or a glob such as `weather-*`; the most exact wins."""
    windows: Names | None = None
    """Windows of `worker.yaml` that the agent is judged by; none is all of them."""
    split_by: Annotated[tuple[Name, ...], AfterValidator(_without_repeats)] = ()
    """Tags of the run; each combination of their values has windows of its own."""


FileT = TypeVar("FileT", bound=DefaultsFile)


@dataclass(frozen=True, slots=True)
class AgentConfig:
    """What one agent, or all agents a glob matches, are asked; defaults included."""

    where: str
    """The file it comes from."""
    agent: str
    windows: tuple[str, ...]
    split_by: tuple[str, ...]
    gates: Mapping[str, Rule[GateOptions]]
    scorers: Mapping[str, Rule[ScorerOptions]]


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The rules of one file; None where it says `name: null`."""

    gates: RuleSet[GateOptions]
    scorers: RuleSet[ScorerOptions]


NO_DEFAULTS = RuleFile({}, {})


def read_defaults(raw: Mapping[str, Any], problems: Problems) -> RuleFile:
    """The rules that every agent has."""
    _validate(DefaultsFile, raw, problems)
    rules = _rules_of(raw, problems)
    _check_removals(rules, NO_DEFAULTS, problems)
    _check_names(rules.gates, rules.scorers, problems)
    return rules


def read_agent(
    raw: Mapping[str, Any], defaults: RuleFile, windows: Sequence[str] | None, problems: Problems
) -> AgentConfig | None:
    """One agent; None, with the problems noted, if anything in its file is wrong.

    Args:
        raw: The file's mapping.
        defaults: Rules that it has unless it says otherwise.
        windows: Names of the windows that there are; None if they could not be read.
        problems: Of the file.
    """
    before = len(problems.lines)
    file = _validate(AgentFile, raw, problems)
    own = _rules_of(raw, problems)
    _check_removals(own, defaults, problems)
    gates, scorers = _merged(defaults.gates, own.gates), _merged(defaults.scorers, own.scorers)
    if file is None or len(problems.lines) > before:
        return None
    _check_windows(file.windows or (), windows or file.windows or (), problems)
    _check_names(gates, scorers, problems)
    _check_number(len(gates) + len(scorers), problems)
    if len(problems.lines) > before:
        return None
    wanted = file.windows or tuple(windows or ())
    return AgentConfig(problems.where, file.agent, wanted, file.split_by, gates, scorers)


def _validate(model: type[FileT], raw: Mapping[str, Any], problems: Problems) -> FileT | None:
    """The file but for its rules, which are read one by one."""
    try:
        return model.model_validate({k: v for k, v in raw.items() if k not in OPTIONS})
    except ValidationError as error:
        problems.add_invalid(error, model, raw)
        return None


def _rules_of(raw: Mapping[str, Any], problems: Problems) -> RuleFile:
    return RuleFile(
        read_rules(raw.get("gates", {}), "gates", GateOptions, problems),
        read_rules(raw.get("scorers", {}), "scorers", ScorerOptions, problems),
    )


def _merged(defaults: RuleSet[OptionsT], own: RuleSet[OptionsT]) -> dict[str, Rule[OptionsT]]:
    merged = {**defaults, **own}
    return {name: rule for name, rule in merged.items() if rule is not None}


def _check_removals(own: RuleFile, defaults: RuleFile, problems: Problems) -> None:
    for kind in OPTIONS:
        known: Mapping[str, object] = getattr(defaults, kind)
        rules: Mapping[str, object] = getattr(own, kind)
        for name, rule in rules.items():
            if rule is None and name not in known:
                problems.add(
                    (kind, name), f"is empty and no default; {remedy_for(name, tuple(known))}"
                )


def _check_names(
    gates: Mapping[str, object], scorers: Mapping[str, object], problems: Problems
) -> None:
    for name in gates:
        if name in scorers:
            sentence = "is the name of a gate too (perhaps by defaults.yaml); rename one"
            problems.add(("scorers", name), sentence)


def _check_windows(wanted: Sequence[str], known: Sequence[str], problems: Problems) -> None:
    for index, name in enumerate(wanted):
        if name not in known:
            sentence = f"{name} is not in worker.yaml; {remedy_for(name, known)}"
            problems.add(("windows", index), sentence)


def _check_number(count: int, problems: Problems) -> None:
    if not count:
        problems.add((), "has nothing to run; give it gates or scorers")
    if count > MAX_RULES:
        problems.add((), f"has {count} rules, defaults included; give it {MAX_RULES} at most")

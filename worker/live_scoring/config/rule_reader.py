"""Rules as they stand in a file: a check's name with its parameters, options beside it."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic.alias_generators import to_snake

from live_scoring.checks import CHECKS, build_check, find_check
from live_scoring.config.own_scorer import OWN_KEYS, USE, read_own_scorer
from live_scoring.config.problems import Loc, Problems
from live_scoring.config.rules import OPTIONS, OwnScorer, Rule, RuleKind, RuleOptions
from live_scoring.config.sentences import kind_of
from live_scoring.config.values import Name
from live_scoring.core.nearest import remedy_for
from live_scoring.core.scoring import Check

_MISPLACED = {
    ("gates", "threshold"): "a gate has no threshold; use require or move the rule to scorers",
    ("scorers", "require"): "a scorer has no require; use threshold or move the rule to gates",
    ("scorers", "critical"): "a scorer is never critical; move the rule to gates",
}
_NAME = TypeAdapter(Name)
OptionsT = TypeVar("OptionsT", bound=RuleOptions)

RuleSet = Mapping[str, Rule[OptionsT] | None]
"""Rules by name; None where the file says `name: null`."""


def read_rules(
    raw: object, kind: RuleKind, options: type[OptionsT], problems: Problems
) -> RuleSet[OptionsT]:
    """Every rule under `gates` or `scorers`; what cannot be read becomes problems."""
    if not isinstance(raw, dict):
        problems.add((kind,), f"{kind_of(raw)}; give a mapping of rules or leave it out")
        return {}
    rules: dict[str, Rule[OptionsT] | None] = {}
    for name, written in raw.items():
        reader = _RuleReader(kind, (kind, name), problems)
        if written is None:
            rules[name] = None
        elif reader.accepts_name(name) and (rule := reader.read(written, options)):
            rules[name] = rule
    return rules


def _is_turned(value: object, built: object) -> bool:
    """Whether pydantic made a boolean or a number of a text, or a number of a boolean."""
    if isinstance(built, bool):
        return not isinstance(value, bool)
    return isinstance(built, int | float) and isinstance(value, bool | str)


class _RuleReader:
    """Reads one rule."""

    def __init__(self, kind: RuleKind, loc: Loc, problems: Problems) -> None:
        self._kind: RuleKind = kind
        self._loc = loc
        self._problems = problems

    def accepts_name(self, name: str) -> bool:
        try:
            _NAME.validate_python(name)
        except ValidationError as error:
            self._problems.add_invalid(error, RuleOptions, None, self._loc)
            return False
        return True

    def read(self, raw: object, options: type[OptionsT]) -> Rule[OptionsT] | None:
        if isinstance(raw, str):
            raw = {raw: None}
        if not isinstance(raw, dict):
            self._add((), f"{kind_of(raw)}; give a check such as no_tool_errors")
            return None
        beside = {key: value for key, value in raw.items() if key in options.model_fields}
        check = self._check({k: v for k, v in raw.items() if k not in beside})
        try:
            built = options.model_validate(beside)
        except ValidationError as error:
            self._problems.add_invalid(error, options, beside, self._loc)
            return None
        return Rule(check, built) if check else None

    def _check(self, raw: Mapping[str, object]) -> Check | OwnScorer | None:
        """The one check, or scorer of one's own, among keys that are no options."""
        named = [key for key in raw if key == USE or find_check(key)]
        known = (*named, *OWN_KEYS) if USE in named else named
        strangers = [key for key in raw if key not in known]
        for key in strangers:
            self._add((key,), self._about_stranger(key, named))
        if not named and not strangers:
            self._add((), f"names no check; give one of {', '.join(CHECKS)}")
        if len(named) > 1:
            self._add((), f"names several checks ({', '.join(named)}); keep one")
        if len(named) != 1:
            return None
        if named == [USE]:
            return read_own_scorer(raw, self._loc, self._problems)
        return self._build(named[0], raw[named[0]])

    def _about_stranger(self, key: str, named: Sequence[str]) -> str:
        if misplaced := _MISPLACED.get((self._kind, key)):
            return misplaced
        if key in OWN_KEYS:
            return "belongs to a scorer of one's own; name one by use, or remove this"
        options = tuple(OPTIONS[self._kind].model_fields)
        if USE in named:
            return f"unknown key; {remedy_for(key, (*OWN_KEYS, *options))}"
        if named:
            return f"unknown key; {remedy_for(key, options)}"
        return f"is no check; {remedy_for(key, (*CHECKS, USE, *options))}"

    def _build(self, name: str, parameters: object) -> Check | None:
        model = find_check(name)
        if model is None:
            return None
        try:
            check = build_check(model, parameters)
        except ValidationError as error:
            raw = {} if parameters is None else parameters
            self._problems.add_invalid(error, model, raw, (*self._loc, name))
            return None
        except ValueError as error:
            self._add((name,), str(error))
            return None
        for key, value in parameters.items() if isinstance(parameters, dict) else ():
            if _is_turned(value, getattr(check, to_snake(key))):
                self._add(
                    (name, key), f"{kind_of(value)}; give what the check asks for, without quotes"
                )
        return check

    def _add(self, loc: Loc, sentence: str) -> None:
        self._problems.add((*self._loc, *loc), sentence)

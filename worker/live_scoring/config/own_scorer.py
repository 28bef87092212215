"""Scorers of one's own in a rule: `{use: "package.module:factory", with: {…}}`."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from live_scoring.config.problems import Loc, Problems
from live_scoring.config.rules import CallOptions, OwnScorer
from live_scoring.config.sentences import kind_of
from live_scoring.core.nearest import remedy_for
from live_scoring.core.score import one_line
from live_scoring.core.scoring import CallLimits, Check, NamedScorer

USE, WITH = "use", "with"
OWN_KEYS = (USE, WITH, *CallOptions.model_fields)
"""What is written of a scorer of one's own, its limits included."""

_REFERENCE = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*)", re.ASCII)
_PLAIN = (str, int, float, bool, type(None))


class _Refused(Exception):  # noqa: N818 -- a problem of the user's, told and not raised further
    """Something that cannot be used; carries the key at fault and the sentence."""

    def __init__(self, key: str, sentence: str) -> None:
        super().__init__(sentence)
        self.key, self.sentence = key, sentence


def read_own_scorer(raw: Mapping[str, Any], loc: Loc, problems: Problems) -> OwnScorer | None:
    """Import and build the scorer that the keys of a rule name.

    Args:
        raw: The rule; of its keys those in `OWN_KEYS` are read.
        loc: Where it stands.
        problems: Takes what is wrong with it; then the answer is None.
    """
    limits = {key: value for key, value in raw.items() if key in CallOptions.model_fields}
    try:
        options = CallOptions.model_validate(limits)
        parameters = _parameters(raw.get(WITH, {}))
        asked = _build(raw[USE], parameters)
    except ValidationError as error:
        problems.add_invalid(error, CallOptions, limits, loc)
        return None
    except _Refused as refused:
        problems.add((*loc, refused.key), refused.sentence)
        return None
    if not isinstance(asked.ask, Check):
        return OwnScorer(raw[USE], parameters, asked, CallLimits(**options.model_dump()))
    for key in limits:
        problems.add((*loc, key), f"bounds calls, and a check makes none ({raw[USE]}); remove it")
    return OwnScorer(raw[USE], parameters, asked, None)


def _parameters(raw: object) -> Mapping[str, Any]:
    if not isinstance(raw, dict):
        raise _Refused(WITH, f"{kind_of(raw)}; give a mapping of the factory's arguments")
    odd = next(_odd_values(raw), None)
    if odd is not None:
        raise _Refused(WITH, f"{odd} is no value of JSON; put it in quotes")
    return raw


def _odd_values(value: object) -> Iterator[object]:
    """Values that YAML knows and JSON does not, such as dates."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _odd_values(inner)
    elif not isinstance(value, _PLAIN):
        yield value


def _build(reference: object, parameters: Mapping[str, Any]) -> NamedScorer:
    name, factory = _factory(reference)
    try:
        made = factory(**parameters)
    except (Exception, SystemExit) as error:
        raise _Refused(WITH, f"{name} refuses it ({_told(error)}); change it") from error
    if isinstance(made, NamedScorer):
        return made
    if isinstance(made, Check):
        return NamedScorer(made.id, made)
    if not callable(made):
        kind = type(made).__name__
        wanted = "answer what create_scorer makes, a Check or a function of a run"
        raise _Refused(USE, f"{name} answers a {kind}, which is no scorer; {wanted}")
    return NamedScorer(name, made)


def _factory(reference: object) -> tuple[str, Callable[..., object]]:
    match = _REFERENCE.fullmatch(reference) if isinstance(reference, str) else None
    if not match:
        what = "names no factory" if isinstance(reference, str) else kind_of(reference)
        raise _Refused(USE, f"{what}; write it as package.module:factory")
    module, name = _import(match[1]), match[2]
    factory = getattr(module, name, None)
    if not callable(factory):
        known = [key for key, value in vars(module).items() if key[0] != "_" and callable(value)]
        raise _Refused(USE, f"{match[1]} has no factory {name}; {remedy_for(name, known)}")
    return name, factory


def _import(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # last, so that no file beside the user hides what is installed
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise _Refused(USE, f"{name} needs {error.name}; install it") from error
        remedy = "install it, or name its folder in PYTHONPATH"
        raise _Refused(USE, f"there is no module {error.name}; {remedy}") from error
    except (Exception, SystemExit) as error:  # a script ends what imports it
        raise _Refused(USE, f"{name} cannot be imported ({_told(error)}); mend it") from error


def _told(error: BaseException) -> str:
    return one_line(f"{type(error).__name__}: {error}")

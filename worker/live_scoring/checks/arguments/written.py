"""How a configuration writes what it expects of a call's arguments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from live_scoring.checks.arguments.expected import (
    Expected,
    Fields,
    Items,
    Mode,
    OneOf,
    Same,
    within,
)
from live_scoring.checks.arguments.matchers import Anything, Approx, Matcher, Near, Regex
from live_scoring.core.nearest import remedy_for

_MATCHERS: Mapping[str, type[Matcher]] = {
    "$any": Anything,
    "$regex": Regex,
    "$near": Near,
    "$approx": Approx,
}
_NAMES = (*_MATCHERS, "$one_of", "$literal")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads values as they stand and mappings of one key that begins with `$` as matchers."""

    mode: Mode
    has_matchers: bool = True
    """False where a key that begins with `$` is a key like others."""

    def read(self, raw: Any, at: str) -> Expected:
        """What is expected at a place.

        Raises:
            ValueError: A matcher is unknown or its parameters are bad: `place: what; what to do`.
        """
        if isinstance(raw, list):
            return Items(tuple(self._read_items(raw, at)))
        if not isinstance(raw, dict):
            return Same(raw)
        named = [key for key in raw if key.startswith("$")] if self.has_matchers else []
        if not named:
            return Fields({k: self.read(raw[k], within(at, k)) for k in raw}, self.mode)
        if len(raw) > 1:
            raise ValueError(
                f"{at}: {named[0]} stands beside other keys; "
                "keep it alone, or put the mapping under $literal"
            )
        return self._read_matcher(named[0], raw[named[0]], f"{at}.{named[0]}")

    def _read_items(self, raw: list[Any], at: str) -> Iterator[Expected]:
        return (self.read(item, f"{at}[{index}]") for index, item in enumerate(raw))

    def _read_matcher(self, name: str, given: Any, at: str) -> Expected:
        if name == "$literal":
            return Reader("exact", has_matchers=False).read(given, at)
        if name == "$one_of":
            if not isinstance(given, list) or not given:
                raise ValueError(f"{at}: is no list of choices; give at least one")
            return OneOf(tuple(self._read_items(given, at)))
        if name not in _MATCHERS:
            raise ValueError(f"{at}: is no matcher; {remedy_for(name, _NAMES)}")
        return _build(_MATCHERS[name], given, at)


def _build(matcher: type[Matcher], given: Any, at: str) -> Matcher:
    first = next(iter(matcher.model_fields))
    try:
        return matcher.model_validate(given if isinstance(given, dict) else {first: given})
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[0]
        place = ".".join((at, *map(str, found["loc"])))
        if found["type"] == "value_error":
            raise ValueError(f"{place}: {found['ctx']['error']}") from None
        is_of_keys = found["type"] in {"missing", "extra_forbidden"}
        remedy = f"its keys are {', '.join(matcher.model_fields)}" if is_of_keys else "correct it"
        raise ValueError(f"{place}: {found['msg'].lower()}; {remedy}") from None

"""Matchers of an argument's value, and how a configuration writes what it expects."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from rapidfuzz import fuzz

from live_scoring.checks.arguments.expected import (
    Expected,
    Fields,
    Items,
    Mode,
    OneOf,
    Same,
    shown,
    within,
)
from live_scoring.core.ecmascript import Pattern
from live_scoring.core.nearest import nearest
from live_scoring.core.quote import quoted

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]

APPROX_LIMIT = 300
TEXT_LIMIT = 20_000
"""Characters of an argument that `$approx` compares."""


class Matcher(BaseModel):
    """A question to one value. Fields are its parameters, the first of which may stand alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @property
    def wish(self) -> str:
        """As `Expected` says."""
        raise NotImplementedError

    def accepts(self, value: Any) -> bool:
        """Whether the value fits."""
        raise NotImplementedError

    def misfits(self, value: Any, at: str) -> Iterator[str]:
        """As `Expected` says."""
        if not self.accepts(value):
            yield f"{at} is {shown(value)}, expected {self.wish}"


class Anything(Matcher):
    """`{$any: true}`: whatever it is, as long as it is there."""

    value: Literal[True]

    @property
    def wish(self) -> str:
        return "any value"

    def accepts(self, value: Any) -> bool:  # noqa: ARG002 -- that is its point
        return True


class Regex(Matcher):
    """`{$regex: "^B"}`: a text in which the JavaScript pattern is found."""

    pattern: str
    flags: str = ""

    @model_validator(mode="after")
    def _check_pattern(self) -> Self:
        _ = self._compiled
        return self

    @property
    def wish(self) -> str:
        return f"a text matching {quoted(self.pattern)}"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and self._compiled.is_in(value)

    @cached_property
    def _compiled(self) -> Pattern:
        return Pattern(self.pattern, self.flags)


class Near(Matcher):
    """`{$near: {value: 72, tolerance: 0.5}}`: a number no farther away than that."""

    value: Number
    tolerance: Annotated[Number, Field(ge=0)]

    @property
    def wish(self) -> str:
        return f"{self.value:g} ± {self.tolerance:g}"

    def accepts(self, value: Any) -> bool:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        # Compared, not subtracted: a whole number may be too large for a float.
        return self.value - self.tolerance <= value <= self.value + self.tolerance


class Approx(Matcher):
    """`{$approx: {value: Brooklyn, cutoff: 0.9}}`: a text like this one, by rapidfuzz's ratio."""

    value: str
    cutoff: Annotated[float, Field(ge=0, le=1)] = 0.9
    ignore_case: bool = True

    @field_validator("value")
    @classmethod
    def _check_length(cls, value: str) -> str:
        if len(value) > APPROX_LIMIT:
            raise ValueError(f"has {len(value)} characters, above {APPROX_LIMIT}; shorten it")
        return value

    @property
    def wish(self) -> str:
        return f"about {quoted(self.value)}"

    def accepts(self, value: Any) -> bool:
        if not isinstance(value, str):
            return False
        text, wanted = value[:TEXT_LIMIT], self.value
        if self.ignore_case:
            text, wanted = text.lower(), wanted.lower()
        percent = self.cutoff * 100
        return text == wanted or fuzz.ratio(wanted, text, score_cutoff=percent) >= percent


_MATCHERS: Mapping[str, type[Matcher]] = {
    "$any": Anything,
    "$regex": Regex,
    "$near": Near,
    "$approx": Approx,
}
_NAMES = (*_MATCHERS, "$one_of", "$literal")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads what a configuration expects of a call's arguments."""

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
            meant = nearest(name, _NAMES)
            remedy = f"did you mean {meant}?" if meant else f"use one of {', '.join(_NAMES)}"
            raise ValueError(f"{at}: is no matcher; {remedy}")
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
        keys = ", ".join(matcher.model_fields)
        raise ValueError(f"{place}: {found['msg'].lower()}; its keys are {keys}") from None

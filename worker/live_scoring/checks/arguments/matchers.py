"""Questions to one argument, such as whether it is near a number."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from rapidfuzz import fuzz

from live_scoring.checks.arguments.expected import Misfit
from live_scoring.core.ecmascript import Pattern
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

    def misfits(self, value: Any, at: str) -> Iterator[Misfit]:
        """As `Expected` says."""
        if not self.accepts(value):
            yield Misfit.of(value, at, self.wish)


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
        return f"{self.value:.12g} ± {self.tolerance:.12g}"

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

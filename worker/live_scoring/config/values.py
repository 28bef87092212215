"""Kinds of value that configuration files hold, and how each is written in YAML."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
)
from pydantic_core import PydanticKnownError

_LENGTH = re.compile(r"([1-9][0-9]{0,8})(ms|s|m|h|d)", re.ASCII)
_UNITS_MS = {"h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}
"""Units that a length is shown in, longest first; days are read but shown as hours."""
_TEXT = {str}
"""The exact type that YAML gives a text; `FromEnvironment` is not it."""


class Section(BaseModel):
    """A mapping of a configuration file: frozen, every key known."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class FromEnvironment(str):
    """A value of an environment variable: a text that may stand for a number or a boolean."""

    __slots__ = ()


def parse_length(value: object) -> timedelta:
    """Read a length of time such as `500ms`, `30s`, `5m`, `1h` or `7d`.

    Raises:
        ValueError: If it is not one; the message says what to write.
    """
    match = _LENGTH.fullmatch(value) if isinstance(value, str) else None
    if not match:
        raise ValueError(f"{value!r} is not a length; write one such as 30s, 5m, 1h or 7d")
    number, unit = int(match[1]), match[2]
    return timedelta(milliseconds=number * (_UNITS_MS | {"d": 86_400_000})[unit])


def format_length(length: timedelta) -> str:
    """Write a length in the longest unit that divides it, hours at most."""
    ms = length // timedelta(milliseconds=1)
    unit = next(unit for unit, size in _UNITS_MS.items() if ms % size == 0)
    return f"{ms // _UNITS_MS[unit]}{unit}"


def _refuse_text(kind: Any) -> Callable[[object], object]:
    """A validator: `20` is a number, `"20"` and `true` are not, whatever pydantic would allow."""

    def check(value: object) -> object:
        if type(value) in _TEXT or (kind != "bool_type" and isinstance(value, bool)):
            raise PydanticKnownError(kind)
        return value

    return check


def _share(value: float) -> float:
    if not 0 <= value <= 1:
        side = "above 1" if value > 1 else "below 0" if value < 0 else "not a number"
        raise ValueError(f"{value:g} is {side}; give a share from 0 to 1")
    return value


def _name(value: str) -> str:
    if not value.isprintable() or value != value.strip():
        raise ValueError(f"{value!r} holds white space at an end or a control character; remove it")
    return value


def _pattern(value: str) -> str:
    if "[" in value and "]" not in value[value.rindex("[") + 2 :]:
        raise ValueError(f"{value!r} opens a [ and never closes it; write [[] to mean the bracket")
    return value


Flag = Annotated[bool, BeforeValidator(_refuse_text("bool_type"))]
Whole = Annotated[int, BeforeValidator(_refuse_text("int_type"))]
Count = Annotated[Whole, Field(ge=1)]
Share = Annotated[
    float,
    BeforeValidator(_refuse_text("float_type")),
    AfterValidator(_share),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]
Length = Annotated[
    timedelta,
    BeforeValidator(parse_length),
    PlainSerializer(format_length, return_type=str),
    WithJsonSchema({"type": "string", "pattern": f"^{_LENGTH.pattern}$"}),
]
Name = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_name)]
Pattern = Annotated[Name, AfterValidator(_pattern)]
"""An agent id, or a glob over agent ids."""

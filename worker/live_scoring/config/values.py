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
    WithJsonSchema,
)
from pydantic_core import PydanticKnownError

from live_scoring.core.run import ID_LIMIT

_LENGTH = re.compile(r"([1-9][0-9]{0,8})(ms|s|m|h|d)", re.ASCII)
_BRACKETS = re.compile(r"\[!?+.[^\]]*+\]", re.DOTALL)
"""One place of a glob with a choice of characters, as fnmatch closes it."""
_UNITS_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


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
    return timedelta(milliseconds=int(match[1]) * _UNITS_MS[match[2]])


def _refuse_text(kind: Any) -> Callable[[object], object]:
    """A validator: `20` is a number, `"20"` and `true` are not, whatever pydantic would allow.

    A text from the environment is of another type than YAML's and passes.
    """

    def check(value: object) -> object:
        if type(value) is str or (kind != "bool_type" and isinstance(value, bool)):
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
    if "[" in _BRACKETS.sub("", value):
        raise ValueError(f"{value!r} opens a [ and never closes it; write [[] to mean the bracket")
    return value


Flag = Annotated[bool, BeforeValidator(_refuse_text("bool_type"))]
WHOLE = BeforeValidator(_refuse_text("int_type"))
Count = Annotated[int, Field(ge=1), WHOLE]
NUMBER = BeforeValidator(_refuse_text("float_type"))
Seconds = Annotated[float, Field(ge=0.001, le=3600), NUMBER]
Share = Annotated[
    float,
    NUMBER,
    AfterValidator(_share),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]
Length = Annotated[
    timedelta,
    BeforeValidator(parse_length),
    WithJsonSchema({"type": "string", "pattern": f"^{_LENGTH.pattern}$"}),
]
Name = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_name)]
Pattern = Annotated[
    str,
    Field(min_length=1, max_length=ID_LIMIT),
    AfterValidator(_name),
    AfterValidator(_pattern),
]
"""An agent id, or a glob over agent ids."""

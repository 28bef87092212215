"""What an argument should be: values as they stand, and matchers such as `{$regex: "^B"}`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, Self

from live_scoring.core.quote import quoted

Mode = Literal["subset", "exact"]

_SHOWN_BITS = 256
"""Of a whole number; the digits of one that has thousands take a fifth of a millisecond."""


class Expected(Protocol):
    """Something to hold an argument against."""

    @property
    def wish(self) -> str:
        """What is expected, as a reason says it."""

    def misfits(self, value: Any, at: str) -> Iterator["Misfit"]:
        """Say of each part that does not fit where it stands and why; nothing if all fits."""


class Misfit(NamedTuple):
    """Where a part does not fit, and why."""

    told: str
    discreet: str
    """The same without any of the value."""

    @classmethod
    def of(cls, value: Any, at: str, wish: str) -> Self:
        """A value that is not what was wished for."""
        return cls(f"{at} is {shown(value)}, expected {wish}", f"{at} is not {wish}")


@dataclass(frozen=True, slots=True)
class Same:
    """This text, number, boolean or null; as in JSON, 1 is 1.0 and not true."""

    value: Any

    @property
    def wish(self) -> str:
        return shown(self.value)

    def misfits(self, value: Any, at: str) -> Iterator[Misfit]:
        if isinstance(value, bool) != isinstance(self.value, bool) or value != self.value:
            yield Misfit.of(value, at, self.wish)


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping with these keys, and in mode `exact` no others."""

    fields: Mapping[str, Expected]
    mode: Mode

    @property
    def wish(self) -> str:
        return "a mapping"

    def misfits(self, value: Any, at: str) -> Iterator[Misfit]:
        if not isinstance(value, Mapping):
            yield Misfit.of(value, at, self.wish)
            return
        for key, expected in self.fields.items():
            if key in value:
                yield from expected.misfits(value[key], within(at, key))
            else:
                missing = f"{within(at, key)} is missing, expected {expected.wish}"
                yield Misfit(missing, missing)
        if self.mode == "exact":
            for key in (key for key in value if key not in self.fields):
                yield Misfit(f"{within(at, key)} is unexpected", f"{at} has an unexpected key")


@dataclass(frozen=True, slots=True)
class Items:
    """A list of just these, in this order."""

    items: tuple[Expected, ...]

    @property
    def wish(self) -> str:
        return f"a list of {len(self.items)}"

    def misfits(self, value: Any, at: str) -> Iterator[Misfit]:
        if not isinstance(value, list | tuple) or len(value) != len(self.items):
            yield Misfit.of(value, at, self.wish)
            return
        for index, expected in enumerate(self.items):
            yield from expected.misfits(value[index], f"{at}[{index}]")


@dataclass(frozen=True, slots=True)
class OneOf:
    """Whatever fits at least one of these."""

    choices: tuple[Expected, ...]

    @property
    def wish(self) -> str:
        return f"one of {', '.join(choice.wish for choice in self.choices)}"

    def misfits(self, value: Any, at: str) -> Iterator[Misfit]:
        if all(any(choice.misfits(value, at)) for choice in self.choices):
            yield Misfit.of(value, at, self.wish)


def within(at: str, key: object) -> str:
    """The place of a key's value."""
    return f"{at}.{key!s:.80}"


def shown(value: Any) -> str:
    """A value in a reason, in bounded length."""
    match value:
        case str():
            return quoted(value)
        case Mapping():
            return f"a mapping of {len(value)}"
        case list() | tuple():
            return f"a list of {len(value)}"
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case int() if value.bit_length() > _SHOWN_BITS:
            return f"a number of {value.bit_length()} bits"
    return f"{value!r:.80}"

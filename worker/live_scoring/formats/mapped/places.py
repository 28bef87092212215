"""Where a mapping finds a value: a JSON path, a header, the record's key, or a fixed text.

Paths are RFC 9535, without its functions `match` and `search`: their patterns would run on text
that is not trusted, and without a limit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathError, JSONPathQuery
from jsonpath_rfc9535.exceptions import JSONPathRecursionError
from pydantic import PlainValidator, WithJsonSchema

from live_scoring.core.decoding import DecodeError
from live_scoring.core.quote import quoted
from live_scoring.telemetry.envelope import Envelope

_FORMS = "a JSON path such as $.bot.id, header:NAME, key or value:TEXT"
_KEYS_NAMED = 8


def _environment() -> JSONPathEnvironment:
    environment = JSONPathEnvironment()
    for function in ("match", "search"):
        del environment.function_extensions[function]
    return environment


_PATHS = _environment()


@dataclass(frozen=True, slots=True)
class JsonPath:
    """A JSON path into the value at hand."""

    written: str
    query: JSONPathQuery

    def find(self, value: Any, _envelope: Envelope) -> Sequence[Any]:
        """Every value that it leads to.

        Raises:
            DecodeError: It looks further down than the library goes, which is 100 levels.
        """
        try:
            return self.query.find(value).values()
        except JSONPathRecursionError:
            raise DecodeError(
                "too_deep", f"{self.written}: leads too far down; name the levels"
            ) from None

    def instead(self, value: Any, _envelope: Envelope) -> str:
        """What was found where it leads to nothing: how far it leads, and what is there."""
        at, reached, steps = [value], "$", self.query.segments
        for end in range(1, len(steps) + 1):
            query = JSONPathQuery(env=_PATHS, segments=steps[:end])
            found = query.find(value).values()
            if not found:
                return f"{reached} is {described(at[0])}"
            at, reached = found, str(query)
        return f"{reached} is {described(at[0])}"


@dataclass(frozen=True, slots=True)
class Header:
    """A header of the record."""

    written: str
    name: str

    def find(self, _value: Any, envelope: Envelope) -> Sequence[Any]:
        """Its text, if it is there."""
        text = envelope.header(self.name)
        return () if text is None else (text,)

    def instead(self, _value: Any, envelope: Envelope) -> str:
        """What headers there are."""
        return f"the record has {_named('header', dict(envelope.headers))}"


@dataclass(frozen=True, slots=True)
class Key:
    """The record's key."""

    written: str = "key"

    def find(self, _value: Any, envelope: Envelope) -> Sequence[Any]:
        """Its text, if there is one."""
        return (envelope.key.decode(errors="replace"),) if envelope.key else ()

    def instead(self, _value: Any, _envelope: Envelope) -> str:
        """That there is none."""
        return "the record has no key"


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text that is the same for every record."""

    written: str
    text: str

    def find(self, _value: Any, _envelope: Envelope) -> Sequence[Any]:
        """The text."""
        return (self.text,)

    def instead(self, _value: Any, _envelope: Envelope) -> str:
        """Never asked: it is always there."""
        return self.text


AnyPlace = JsonPath | Header | Key | Fixed


def parse_place(written: object) -> AnyPlace:
    """Read a place as a mapping writes it.

    Raises:
        ValueError: It is none; the message says what to write.
    """
    if isinstance(written, str):
        kind, colon, rest = written.partition(":")
        if written.startswith("$"):
            return parse_path(written)
        if kind == "header" and rest:
            return Header(written, rest)
        if kind == "value" and colon:
            return Fixed(written, rest)
        if written == "key":
            return Key()
    raise ValueError(f"{quoted(str(written))} is no place; give {_FORMS}")


def parse_path(written: object) -> JsonPath:
    """Read a JSON path.

    Raises:
        ValueError: It is none; the message says what is wrong with it.
    """
    if not isinstance(written, str) or not written.startswith("$"):
        raise ValueError(f"{quoted(str(written))} is no JSON path; begin with $, as in $.messages")
    try:
        return JsonPath(written, _PATHS.compile(written))
    except JSONPathError as error:
        reason = str(error).split(", line ")[0]
        raise ValueError(f"{quoted(written)} is no JSON path: {reason}") from None


Place = Annotated[AnyPlace, PlainValidator(parse_place), WithJsonSchema({"type": "string"})]
Path = Annotated[
    JsonPath, PlainValidator(parse_path), WithJsonSchema({"type": "string", "pattern": r"^\$"})
]


def described(value: Any) -> str:
    """The kind of a JSON value; of an object its keys too, and never a text of the run."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return f"a list of {len(value)}"
        case _:
            return f"an object with {_named('key', value)}"


def _named(what: str, names: Any) -> str:
    if not names:
        return f"no {what}s"
    shown = [quoted(str(name)) for name in list(names)[:_KEYS_NAMED]]
    more = len(names) - len(shown)
    return f"the {what}s {', '.join(shown)}" + (f" and {more} more" if more else "")

"""What each check does and takes, from its own docstring and fields."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from inspect import cleandoc
from typing import Any

from live_scoring.core.errors import LiveScoringError
from live_scoring.core.nearest import remedy_for
from live_scoring.core.quote import printable
from live_scoring.core.scoring import Check
from live_scoring.core.wire import to_json

_WORDS = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
    "object": "mapping",
}
"""By type of JSON Schema."""
_BOUNDS = {
    "minimum": "from",
    "exclusiveMinimum": "above",
    "maximum": "to",
    "exclusiveMaximum": "below",
}


class UnknownCheckError(LiveScoringError):
    """A name that no check has."""


@dataclass(frozen=True, slots=True)
class ParameterDoc:
    """One parameter of a check."""

    name: str
    type: str
    """In words."""
    is_required: bool
    default: Any
    """As JSON has it; None where it is required, or has none."""
    description: str


@dataclass(frozen=True, slots=True)
class CheckDoc:
    """One check as a configuration names it."""

    name: str
    id: str
    """As scores carry it."""
    description: str
    parameters: tuple[ParameterDoc, ...]
    """The first may stand alone."""


def document(checks: Mapping[str, type[Check]], name: str | None = None) -> tuple[CheckDoc, ...]:
    """Document all checks, or the one of that name.

    Raises:
        UnknownCheckError: None has that name.
    """
    if name is not None and name not in checks:
        raise UnknownCheckError(f"{printable(name)}: is no check; {remedy_for(name, checks)}")
    return tuple(_document(n, checks[n]) for n in (checks if name is None else [name]))


def docs_to_text(docs: Sequence[CheckDoc]) -> Iterator[str]:
    """As lines."""
    for place, doc in enumerate(docs):
        if place:
            yield ""
        yield f"{doc.name} ({doc.id})"
        yield from (f"  {line}".rstrip() for line in doc.description.splitlines())
        for parameter in doc.parameters:
            default = "required" if parameter.is_required else _default(parameter.default)
            yield f"    {parameter.name}: {parameter.type}, {default}"
            yield f"      {parameter.description}"


def docs_to_json(docs: Sequence[CheckDoc]) -> str:
    """As a list for programs."""
    return to_json([asdict(doc) for doc in docs]).decode()


def _default(value: Any) -> str:
    return "optional" if value is None else f"default {json.dumps(value, ensure_ascii=False)}"


def _document(name: str, check: type[Check]) -> CheckDoc:
    schema = check.model_json_schema(by_alias=False)
    required, fields = schema.get("required", ()), schema.get("properties", {})
    parameters = tuple(
        ParameterDoc(
            name=field,
            type=_type_of(of, schema.get("$defs", {})),
            is_required=field in required,
            default=of.get("default"),
            description=" ".join(of.get("description", "").split()),
        )
        for field, of in fields.items()
    )
    return CheckDoc(name, check.id, cleandoc(check.__doc__ or ""), parameters)


def _type_of(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """A JSON Schema in words."""
    if "$ref" in schema:
        return _type_of(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        kinds = (kind for kind in schema["anyOf"] if kind != {"type": "null"})
        return " or ".join(dict.fromkeys(_type_of(kind, definitions) for kind in kinds))
    if schema.get("type") == "array":
        return f"list of {_type_of(schema.get('items', {}), definitions)}"
    word = _WORDS.get(schema.get("type", ""), "anything")
    bounds = (f" {side} {schema[key]:g}" for key, side in _BOUNDS.items() if key in schema)
    return word + "".join(bounds)

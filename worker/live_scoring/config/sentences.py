"""Sentences about values that do not fit: what is wrong, and what to do."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from live_scoring.core.nearest import remedy_for
from live_scoring.core.quote import quoted

_KINDS = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "float_parsing": "a number",
    "float_type": "a number without quotes",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_type": "a whole number without quotes",
    "model_type": "a mapping",
    "string_type": "a text in quotes",
    "tuple_type": "a list",
}
"""By pydantic's type of error, what a value of the wrong kind should have been."""

_SENTENCES: Mapping[str, Callable[[Any, Mapping[str, Any]], str]] = {
    "missing": lambda _, __: "is missing; give it",
    "value_error": lambda _, context: str(context["error"]),
    "literal_error": lambda value, context: (
        f"{_shown(value)} is not known; give {context['expected']}"
    ),
    "greater_than_equal": lambda value, context: (
        f"{value} is below {context['ge']}; give {context['ge']} or more"
    ),
    "less_than_equal": lambda value, context: (
        f"{value} is above {context['le']}; give {context['le']} or less"
    ),
    "too_short": lambda _, __: "is empty; give at least one",
    "string_too_short": lambda _, __: "is empty; give at least one character",
    "string_too_long": lambda _, context: (
        f"is too long; give at most {context['max_length']} characters"
    ),
    "string_pattern_mismatch": lambda value, context: (
        f"{_shown(value)} does not fit; write it as {context['pattern']}"
    ),
}
"""By pydantic's type of error, from the value and the error's context."""


def findings_of(error: ValidationError) -> Iterator[ErrorDetails]:
    """Pydantic's findings, but not that a list is too short of which an item is wrong."""
    findings = error.errors(include_url=False)
    for found in findings:
        loc = found["loc"]
        is_within = (other["loc"][: len(loc)] == loc for other in findings if other is not found)
        if found["type"] != "too_short" or not any(is_within):
            yield found


def sentence_of(details: ErrorDetails, known: Sequence[str] = ()) -> str:
    """Pydantic's finding as our sentence.

    Args:
        details: The finding.
        known: Keys that would have been right, for one about an unknown key.
    """
    kind, value = details["type"], details["input"]
    if kind == "extra_forbidden" and details["loc"][-1] in known:
        return "is given twice, in snake_case and in camelCase; keep one"
    if kind == "extra_forbidden":
        return f"unknown key; {remedy_for(str(details['loc'][-1]), known)}"
    if kind in _KINDS:
        return f"{kind_of(value)}; give {_KINDS[kind]}"
    if kind in _SENTENCES:
        return _SENTENCES[kind](value, details.get("ctx", {}))
    return f"{details['msg']}; change it"


def kind_of(value: object) -> str:
    """What a value is, in a user's words."""
    if value is None:
        return "is empty"
    if isinstance(value, bool):
        return f"is {str(value).lower()}"
    if isinstance(value, str | int | float):
        return f"{_shown(value)} is a {'text' if isinstance(value, str) else 'number'}"
    return f"is a {_CONTAINERS.get(type(value), type(value).__name__)}"


_CONTAINERS: Mapping[type, str] = {dict: "mapping", list: "list", tuple: "list"}


def _shown(value: object) -> str:
    return quoted(value) if isinstance(value, str) else repr(value)

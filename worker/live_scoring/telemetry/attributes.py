"""What the attributes of spans tell, whatever convention names them."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from live_scoring.core.decoding import DecodeError, is_deeper, parse_json
from live_scoring.core.score import Failure
from live_scoring.telemetry.span import Span

N = TypeVar("N", int, float)
FlatItem = list[tuple[str, Any]]
"""The attributes of one item of a list, by what of their keys begins with its index."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WRITTEN_DEPTH = 100
"""Arrays and objects inside one another in an attribute that is JSON."""
_KEY_PARTS = 10
"""Of a key that stands for a place in lists and objects; no convention has as many."""
_INDEX = re.compile(r"[0-9]{1,9}", re.ASCII)
_ALSO_TAGS = {
    "environment": ("deployment.environment.name", "deployment.environment"),
    "version": ("service.version",),
}
"""Short names for what `split_by` is most often set to."""


def first_text(attributes: Mapping[str, Any], *names: str) -> str | None:
    """The first of these attributes that is a text and not empty."""
    for name in names:
        value = attributes.get(name)
        if value and isinstance(value, str):
            return value
    return None


def count_in(attributes: Mapping[str, Any], *names: str) -> int | None:
    """The first of these attributes that is a whole number of 0 or more."""
    for name in names:
        value = attributes.get(name)
        if type(value) is int and value >= 0:
            return value
    return None


def amount_in(attributes: Mapping[str, Any], name: str) -> float | None:
    """The attribute if it is a number of 0 or more."""
    value = attributes.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if value >= 0 else None


def total(amounts: Iterable[N | None]) -> N | None:
    """The sum of what is known; None where nothing is."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known[1:], known[0]) if known else None


def moment_of(ns: int) -> datetime:
    """Nanoseconds since the epoch as a moment, to the microsecond."""
    return _EPOCH + timedelta(microseconds=ns // 1000)


def tags_of(resource: Mapping[str, Any]) -> dict[str, Any]:
    """Tags of a run: a resource's attributes that are no lists or objects, and short names."""
    told = {key: v for key, v in resource.items() if isinstance(v, str | bool | int | float)}
    for tag, names in _ALSO_TAGS.items():
        found = next((told[name] for name in names if name in told), None)
        if found is not None:
            told.setdefault(tag, found)
    return told


def error_of(span: Span) -> str | None:
    """Why an agent's or a model's span failed: its kind, or else what its status says."""
    kind = first_text(span.attributes, "error.type")
    if span.error is None:
        return kind
    return kind or span.error or "failed"


def tool_error_of(span: Span) -> dict[str, Any] | None:
    """Type and message of a tool's failure, as `{"error": …}`; None if it did not fail."""
    told = reversed(span.events) if span.events else ()
    thrown = next((event.attributes for event in told if event.name == "exception"), None)
    kind = first_text(span.attributes, "error.type")
    if span.error is None and thrown is None and kind is None:
        return None
    thrown = thrown or {}
    facts = {
        "type": first_text(thrown, "exception.type") or kind,
        "message": first_text(thrown, "exception.message") or span.error,
    }
    return {"error": {name: value for name, value in facts.items() if value} or "failed"}


def written_json(value: Any, name: str) -> Any:
    """The value of an attribute that may be JSON written as a text.

    Args:
        value: Of the attribute; what is no text stays as it is.
        name: Of the attribute, for the error.

    Raises:
        DecodeError: It is no JSON, cut off, or nested too deeply.
    """
    if not isinstance(value, str):
        return value
    # A lone surrogate that stands in the text becomes its escape, which JSON may hold.
    parsed = parse_json(value.encode(errors="backslashreplace"))
    is_flat = value.count("[") + value.count("{") <= _WRITTEN_DEPTH
    if not isinstance(parsed, Failure) and (is_flat or not is_deeper(parsed, _WRITTEN_DEPTH)):
        return parsed
    if not isinstance(parsed, Failure) or parsed.reason == "too_deep":
        raise DecodeError("too_deep", f"{name}: nested more than {_WRITTEN_DEPTH} deep")
    if parsed.reason == "truncated_json":
        raise DecodeError(
            "truncated_json",
            f"{name}: cut off after {len(value)} characters; raise or unset "
            "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT and OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT",
        )
    raise DecodeError("not_json", f"{name}: {parsed.detail}")


def unflattened(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """The list that keys such as `prefix.0.role` stand for, as nested objects.

    Lists further in stay objects with digits as keys, for `listed`. A key of too many parts, or
    one that contradicts an earlier one, is left out.
    """
    return [nested(item) for item in flat_items(attributes, prefix)]


def flat_items(attributes: Mapping[str, Any], prefix: str) -> list[FlatItem]:
    """The same list before its objects are put together by `nested`."""
    start = len(prefix) + 1
    items: dict[str, FlatItem] = {}
    for key, value in attributes.items():
        if key.startswith(prefix) and key[start - 1 : start] == ".":
            inner = key[start:]
            if inner.count(".") < _KEY_PARTS:
                items.setdefault(inner.partition(".")[0], []).append((inner, value))
    return listed(items)


def nested(item: FlatItem) -> Any:
    """One item of a list; a value where its index is the whole key."""
    tree: dict[str, Any] = {}
    for key, value in item:
        *way, leaf = key.split(".")
        node: Any = tree
        for part in way:
            node = node.setdefault(part, {}) if isinstance(node, dict) else None
        if isinstance(node, dict):
            node.setdefault(leaf, value)
    return next(iter(tree.values()))


def listed(node: Any) -> list[Any]:
    """A list's items by their index, from an object with digits as keys."""
    if not isinstance(node, dict):
        return []
    indices = sorted((int(key), key) for key in node if _INDEX.fullmatch(key))
    return [node[key] for _, key in indices]

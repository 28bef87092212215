"""The format that a record's headers name."""

from collections.abc import Container, Iterable

_NAMES = ("format", "content-type")
"""The headers that may name it; the first counts before the second."""


def named_format(headers: Iterable[tuple[str, bytes | None]], known: Container[str]) -> str | None:
    """The format that the headers name, if it is a known one; a header may lack a value."""
    values = dict(headers)
    named = ((values.get(name) or b"").decode(errors="replace") for name in _NAMES)
    return next((name for name in named if name in known), None)

"""Words of messages: what a run or a configuration says, in bounded length, and numbers."""

from collections.abc import Sequence

_NAMES = 10


def quoted(text: str, limit: int = 80) -> str:
    """Text in quotes, line breaks and lone surrogates escaped, cut at `limit` characters."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def listed(names: Sequence[str]) -> str:
    """The first ten names joined by commas, each cut at 80 characters; `none` without any."""
    shown = ", ".join(f"{name:.80}" for name in names[:_NAMES])
    return f"{shown}, … ({len(names)} in all)" if len(names) > _NAMES else shown or "none"


def counted(number: int, noun: str) -> str:
    """A number of things, such as `1 run` or `2,000 runs`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def printable(text: str) -> str:
    """Text in which nothing can act on a terminal or break a line or an XML file: escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)

"""HTML in which text is text: nothing that comes from a run or a configuration is markup."""

from collections.abc import Iterable
from html import escape


def tag(name: str, *inner: str, **attributes: str) -> str:
    """An element around what is already HTML; `class_` is `class`, `aria_label` `aria-label`."""
    names = {key: key.rstrip("_").replace("_", "-") for key in attributes}
    written = "".join(f' {names[key]}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(inner)}</{name}>"


def text(value: str) -> str:
    """Text as HTML."""
    return escape(value)


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], names: int) -> str:
    """A table that scrolls aside where the screen is narrow.

    Args:
        heads: Of the columns, as HTML.
        rows: Cells as HTML.
        names: How many columns from the left are names; the others are numbers.
    """
    head = "".join(_cell("th", place < names, cell) for place, cell in enumerate(heads))
    body = (
        tag("tr", *(_cell("td", place < names, cell) for place, cell in enumerate(row)))
        for row in rows
    )
    whole = tag("table", tag("thead", tag("tr", head)), tag("tbody", *body))
    return tag("div", whole, class_="table")


def _cell(name: str, is_name: bool, inner: str) -> str:  # noqa: FBT001 -- a private cell
    return tag(name, inner, class_="name") if is_name else tag(name, inner)


def listed(items: Iterable[str]) -> str:
    """A list of what is already HTML; empty without any."""
    made = "".join(tag("li", item) for item in items)
    return tag("ul", made) if made else ""

"""What a reader asks the status page for: a part of the agents, and which page of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self, get_args
from urllib.parse import urlencode

from live_scoring.core.verdict import VerdictState

_QUERY_LIMIT = 200
_PAGE_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Ask:
    """An address of the page, read."""

    q: str = ""
    """Stands somewhere in an agent's id or group, whatever its case."""
    state: VerdictState | None = None
    page: int = 1

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Self:
        """Read a query; what makes no sense is as if it were not there."""
        state = next((s for s in get_args(VerdictState) if s == query.get("state")), None)
        page = query.get("page", "")
        is_number = page.isascii() and page.isdecimal() and len(page) <= _PAGE_DIGITS
        number = max(1, int(page)) if is_number else 1
        return cls(query.get("q", "").strip()[:_QUERY_LIMIT], state, number)

    def link(self, state: VerdictState | None, page: int = 1) -> str:
        """The address that asks for the same agents in a state, or for another page of them."""
        parts = {"q": self.q, "state": state or "", "page": str(page) if page > 1 else ""}
        return "?" + urlencode({k: v for k, v in parts.items() if v}, errors="replace")

    def at(self, page: int) -> "Ask":
        """The same for another page."""
        return replace(self, page=page)

"""Why a span failed, as its status, its exception and its attribute `error.type` tell."""

from dataclasses import dataclass
from typing import Any

from live_scoring.telemetry.span import Span


@dataclass(frozen=True, slots=True)
class Fault:
    """A span's failure."""

    type: str
    """Name of the exception or of the kind of error; empty if none is told."""
    message: str
    """May be empty."""

    @property
    def text(self) -> str:
        """The message, or the type where there is none."""
        return self.message or self.type

    @property
    def result(self) -> dict[str, Any]:
        """What a tool that failed so ended with."""
        if self.type:
            return {"error": {"type": self.type, "message": self.message}}
        return {"error": self.message}


def fault_of(span: Span) -> Fault | None:
    """Why a span failed; None if nothing says that it did."""
    thrown = next((e for e in reversed(span.events) if e.name == "exception"), None)
    told = thrown.attributes if thrown else {}
    kind = told.get("exception.type") or span.attributes.get("error.type")
    if span.error is None and thrown is None and not kind:
        return None
    message = told.get("exception.message") or span.error
    return Fault(_text(kind), _text(message))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

"""Finding values at a mapping's places, and telling what was found instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from live_scoring.core.decoding import DecodeError
from live_scoring.formats.mapped.places import AnyPlace, described
from live_scoring.telemetry.envelope import Envelope


@dataclass(frozen=True, slots=True)
class Finding:
    """Finds values of one record."""

    envelope: Envelope

    def all(self, place: AnyPlace | None, value: Any) -> Sequence[Any]:
        """All that stands at a place; nothing where there is no place."""
        return place.find(value, self.envelope) if place else ()

    def first(self, place: AnyPlace | None, value: Any) -> Any:
        """The first that stands at a place, else None."""
        found = self.all(place, value)
        return found[0] if found else None

    def needed(self, name: str, place: AnyPlace, value: Any) -> Sequence[Any]:
        """All that stands at a place that a run needs.

        Raises:
            DecodeError: Nothing does; it says what is there instead.
        """
        found = place.find(value, self.envelope)
        if not found:
            raise DecodeError("missing_field", self.missed(name, place, value))
        return found

    def text(self, name: str, place: AnyPlace, value: Any) -> str:
        """The text at a place that a run needs.

        Raises:
            DecodeError: Nothing stands there, or something that is no text.
        """
        return as_text(name, self.needed(name, place, value)[0])

    def missed(self, name: str, place: AnyPlace, value: Any) -> str:
        """That a place leads to nothing, and what is there instead."""
        instead = place.instead(value, self.envelope)
        return f"{name}: {place.written} leads to nothing; {instead}"


def as_text(name: str, found: Any) -> str:
    """A text; null is an empty one.

    Raises:
        DecodeError: It is something else.
    """
    if found is None or isinstance(found, str):
        return found or ""
    raise DecodeError("bad_field", f"{name}: is {described(found)} where a text is needed")


def flat(found: Sequence[Any]) -> list[Any]:
    """Items, whether a path led to their list or to each of them."""
    if len(found) != 1:
        return list(found)
    only = found[0]
    return only if isinstance(only, list) else [] if only is None else [only]

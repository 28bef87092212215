"""What a model is given again and again: each time all that was said before, and a little more.

Read anew each time, a run of a hundred steps would cost as much as five thousand messages.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from live_scoring.core.decoding import DecodeError
from live_scoring.core.wire import to_json
from live_scoring.telemetry.retelling import Turn

L = TypeVar("L", str, list[Any])


class History:
    """Reads lists of messages; of one that begins with all of the last one only what is new.

    Readers may raise `DecodeError` or `ValidationError`; what they make of a message must not
    depend on those around it.
    """

    def __init__(self) -> None:
        """Have read nothing yet."""
        self._known = ""
        """The last list as JSON, without its end."""
        self._count = 0
        """How many messages it had, where that is known."""
        self._turns: tuple[Turn, ...] = ()

    def of_text(self, text: str, read: Callable[[str], Sequence[Turn]]) -> tuple[Turn, ...]:
        """The turns of a list that is written as JSON."""
        return self._read(text, "[" + text[len(self._known) + 1 :], text, read)

    def of_list(
        self, messages: list[Any], read: Callable[[list[Any]], Sequence[Turn]]
    ) -> tuple[Turn, ...]:
        """The turns of a list."""
        # Compared as JSON, since to Python 1 is the same as true.
        written = to_json(messages).decode()
        turns = self._read(written, messages[self._count :], messages, read)
        self._count = len(messages)
        return turns

    def _read(
        self, written: str, rest: L, whole: L, read: Callable[[L], Sequence[Turn]]
    ) -> tuple[Turn, ...]:
        turns = tuple(self._new(written, rest, read))
        turns = self._turns + turns if turns else tuple(read(whole))
        self._known, self._turns = (written[:-1], turns) if written.endswith("]") else ("", ())
        return turns

    def _new(self, written: str, rest: L, read: Callable[[L], Sequence[Turn]]) -> Sequence[Turn]:
        """The turns beyond the last list; none where this one does not go on from there."""
        goes_on = bool(self._turns) and written.startswith(self._known + ",")
        try:
            return read(rest) if goes_on else ()
        except (DecodeError, ValidationError):
            return ()  # the whole tells where it is wrong

"""From messages, told one after the other, to the run at their end."""

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from live_scoring.core.decoding import is_deeper, parse_json
from live_scoring.core.run import Message, State, ToolInvocation

_WRITTEN_DEPTH = 100
"""Arrays and objects inside one another in JSON that is written as a text; deeper it stays one."""


class Call(NamedTuple):
    """A tool call as an assistant's message tells it."""

    id: str | None
    name: str
    args: Any = None
    """A text that is a JSON object becomes that object; any other value stays as it is."""
    is_unparsed: bool = False
    """The model wrote a call that could not be read, so it never ran: an error."""
    is_partial: bool = False
    """Its arguments were still streaming: neither a call nor an error."""


@dataclass(slots=True)
class _Told:
    call: Call
    is_answered: bool = False
    is_error: bool = False
    result: Any = None

    def answer(self, result: Any, *, is_error: bool) -> None:
        if self.is_error and not is_error:
            return
        self.is_answered, self.is_error, self.result = True, is_error, result

    def invocation(self) -> ToolInvocation:
        return ToolInvocation(
            id=self.call.id,
            name=self.call.name,
            args=unwritten(self.call.args),
            state=self._state(),
            is_error=self.is_error or self.call.is_unparsed,
            result=self.result,
        )

    def _state(self) -> State:
        if self.call.is_unparsed:
            return "call"
        if self.is_answered:
            return "result"
        return "partial-call" if self.call.is_partial else "call"


class Conversation:
    """Messages in their order; the run is what follows the last of the user."""

    def __init__(self) -> None:
        """Start without a message."""
        self.input: Any = None
        """What the user asked last; None if nobody asked."""
        self._said: list[tuple[str, list[_Told]]] = []
        self._waiting: dict[Hashable, deque[_Told]] = {}
        self._latest: dict[Hashable, _Told] = {}
        self._early: dict[Hashable, tuple[Any, bool]] = {}

    @property
    def output(self) -> tuple[Message, ...]:
        """The assistant's messages since the user's last, each call with its answer."""
        return tuple(
            Message(
                role="assistant",
                text=text,
                tool_invocations=tuple(told.invocation() for told in calls),
            )
            for text, calls in self._said
        )

    def ask(self, text: Any) -> None:
        """Tell a message of the user: what came before it is history."""
        self.input = text
        for told in (self._said, self._waiting, self._latest, self._early):
            told.clear()

    def say(self, text: str, calls: Iterable[Call] = ()) -> None:
        """Tell one message of the assistant, empty or not."""
        told = [_Told(call) for call in calls]
        self._said.append((text, told))
        for each in told:
            self._expect_answer(each)

    def answer(self, call_id: str | None, result: Any, *, is_error: bool = False) -> None:
        """Tell what a call ended with, before or after the call itself.

        Of calls that share an id it goes to the first without an answer. Of several answers to
        one call an error stands, else the last. An answer to no call is dropped.

        Args:
            call_id: Of the call; with None nothing is told.
            result: A text that is a JSON object becomes that object.
            is_error: The call failed; a result that is a text is then told as `{"error": text}`.
        """
        if call_id is not None:
            self._answer(call_id, result, is_error=is_error)

    def answer_to(self, name: str, result: Any, *, is_error: bool = False) -> None:
        """Tell what the first call of this name without an id and an answer ended with."""
        self._answer((name,), result, is_error=is_error)

    def _expect_answer(self, told: _Told) -> None:
        key: Hashable = (told.call.name,) if told.call.id is None else told.call.id
        self._latest[key] = told
        if key in self._early:
            result, is_error = self._early.pop(key)
            told.answer(result, is_error=is_error)
        else:
            self._waiting.setdefault(key, deque()).append(told)

    def _answer(self, key: Hashable, result: Any, *, is_error: bool) -> None:
        read = unwritten(result)
        if is_error and isinstance(read, str):
            read = {"error": read}
        waiting = self._waiting.get(key)
        told = waiting.popleft() if waiting else self._latest.get(key)
        if told is None:
            self._early[key] = (read, is_error)
        else:
            told.answer(read, is_error=is_error)


def unwritten(value: Any) -> Any:
    """An object that was written as a JSON text becomes one again; all else stays as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    # A lone surrogate that stands in the text becomes its escape, which JSON may hold.
    parsed = parse_json(value.encode(errors="backslashreplace"))
    if not isinstance(parsed, dict):
        return value
    is_flat = value.count("[") + value.count("{") <= _WRITTEN_DEPTH
    return parsed if is_flat or not is_deeper(parsed, _WRITTEN_DEPTH) else value


def has_error(result: Any) -> bool:
    """Whether a result tells of an error by its key `error`, truthy as JavaScript counts it."""
    error = result.get("error") if isinstance(result, dict) else None
    if isinstance(error, dict | list):
        return True
    is_nan = error != error  # noqa: PLR0124 -- true of NaN alone
    return bool(error) and not is_nan

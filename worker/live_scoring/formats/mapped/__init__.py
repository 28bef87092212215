"""JSON of one's own making: a mapping says where the parts of a run lie."""

from collections.abc import Iterator
from typing import Any

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun, Message
from live_scoring.core.wire import to_json
from live_scoring.formats.mapped.calls import Calls, Results
from live_scoring.formats.mapped.finding import Finding, as_text, flat
from live_scoring.formats.mapped.mapping import MessagesMapping, RunMapping
from live_scoring.formats.mapped.places import AnyPlace, described
from live_scoring.telemetry.envelope import Envelope

__all__ = ["RunMapping", "read_mapped", "unmet_places"]

_TEXTS = ("conversation_id", "trace_id", "model")
_OPTIONAL = ("agent_id", "run_id", "timestamp", "input", "text", *_TEXTS, "error")


def read_mapped(mapping: RunMapping, value: Any, envelope: Envelope) -> AgentRun:
    """Read a run.

    Raises:
        DecodeError: A place that a run needs leads to nothing, or to something else.
        ValidationError: A field is bad.
    """
    return _Reading(mapping, value, envelope).run()


def unmet_places(mapping: RunMapping, value: Any, envelope: Envelope) -> Iterator[str]:
    """Places of the run that lead to nothing in this payload, and what is there instead."""
    finding = Finding(envelope)
    for name, place in _places(mapping):
        if not finding.all(place, value):
            yield finding.missed(name, place, value)


def _places(mapping: RunMapping) -> Iterator[tuple[str, AnyPlace]]:
    for name in _OPTIONAL:
        if (place := getattr(mapping, name)) is not None:
            yield name, place
    if mapping.messages:
        yield "messages.at", mapping.messages.at
    elif mapping.tool_calls:
        yield "tool_calls.at", mapping.tool_calls.at
    yield from ((f"tags.{tag}", place) for tag, place in mapping.tags.items())


class _Reading:
    """One payload under a mapping."""

    def __init__(self, mapping: RunMapping, value: Any, envelope: Envelope) -> None:
        self._mapping, self._value, self._envelope = mapping, value, envelope
        self._finding = Finding(envelope)
        self._calls = Calls(mapping, self._finding)

    def run(self) -> AgentRun:
        mapping = self._mapping
        error = self._first(mapping.error)
        failed = _text_of(error) if error else None
        if mapping.messages:
            asked, output = self._messages(mapping.messages)
        else:
            asked, output = None, self._whole(failed)
        tags = {tag: self._first(place) for tag, place in mapping.tags.items()}
        return AgentRun.model_validate(
            {
                "run_id": self._identity("run_id", mapping.run_id, self._envelope.run()),
                "agent_id": self._identity("agent_id", mapping.agent_id, self._envelope.agent()),
                "timestamp": self._first(mapping.timestamp),
                "input": self._first(mapping.input) if mapping.input else asked,
                "output": output,
                "tags": {tag: found for tag, found in tags.items() if found is not None},
                "error": failed,
                **{name: self._scalar(getattr(mapping, name)) for name in _TEXTS},
            }
        )

    def _first(self, place: AnyPlace | None) -> Any:
        return self._finding.first(place, self._value)

    def _identity(self, name: str, place: AnyPlace | None, otherwise: str | None) -> str:
        if place is None and otherwise is not None:
            return otherwise
        if place is None:
            raise DecodeError(
                "missing_field",
                f"{name}: has no place in the mapping, and header agent-id and key are missing",
            )
        found = self._finding.needed(name, place, self._value)[0]
        if not isinstance(found, str | int) or isinstance(found, bool):
            raise DecodeError("bad_field", f"{name}: {place.written} is {described(found)}")
        return str(found)

    def _scalar(self, place: AnyPlace | None) -> Any:
        found = self._first(place)
        return str(found) if isinstance(found, int | float) else found

    def _whole(self, failed: str | None) -> tuple[Message, ...]:
        """The answers of a run that is one object; its calls stand with the first."""
        place = self._mapping.text
        texts = self._finding.all(place, self._value)
        if place and not texts and failed is None:
            raise DecodeError("missing_field", self._finding.missed("text", place, self._value))
        calls = self._calls.of(self._value, self._calls.results([self._value]))
        first, *others = [as_text("text", text) for text in flat(texts)] or [""]
        return (
            Message(role="assistant", text=first, tool_invocations=calls),
            *(Message(role="assistant", text=text) for text in others),
        )

    def _messages(self, mapping: MessagesMapping) -> tuple[str | None, tuple[Message, ...]]:
        """The last question, and what follows it."""
        items = flat(self._finding.needed("messages.at", mapping.at, self._value))
        results = self._calls.results(items)
        said = [self._message(mapping, item, results) for item in items]
        asked = next((at for at in range(len(said) - 1, -1, -1) if said[at].role == "user"), None)
        if asked is None:
            return None, tuple(said)
        return said[asked].text, tuple(said[asked + 1 :])

    def _message(self, mapping: MessagesMapping, item: Any, results: Results) -> Message:
        role = self._finding.text("messages.role", mapping.role, item)
        texts = self._finding.all(mapping.text, item)
        return Message(
            role=mapping.roles.get(role, role),
            text="".join(as_text("messages.text", text) for text in flat(texts)),
            tool_invocations=self._calls.of(item, results),
        )


def _text_of(error: Any) -> str:
    return error if isinstance(error, str) else to_json(error).decode()

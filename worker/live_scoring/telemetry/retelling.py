"""A run told by its steps: what a model was given and what it said, and what tools did.

What a model is given repeats, step for step, all that was said before.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from operator import is_
from typing import Any, Literal, NamedTuple

from live_scoring.core.wire import to_json
from live_scoring.telemetry.conversation import Call, Conversation, unwritten


class Answer(NamedTuple):
    """A call's result as a message tells it, which never says whether the tool failed."""

    call_id: str | None
    name: str
    """Of the tool; may be empty where there is an id."""
    result: Any
    is_error: bool = False
    """The message itself says that the call failed; not every convention can."""


class Turn(NamedTuple):
    """One message of those that a model is given, or says."""

    role: Literal["user", "assistant", "other"]
    text: str
    calls: tuple[Call, ...] = ()
    answers: tuple[Answer, ...] = ()


class ModelStep(NamedTuple):
    """A model was given messages and said some."""

    given: Sequence[Turn]
    said: Sequence[Turn]


class ToolStep(NamedTuple):
    """A tool ran."""

    call: Call
    result: Any
    is_error: bool


def retell(steps: Sequence[ModelStep | ToolStep]) -> Conversation:
    """The conversation of one run.

    Its input is the user's last message in what the model was given first; what stands before it
    is history, and a later message of a user is the agent's own doing. What a model says is
    always new. Of what it is given, a text, a call or an answer is new that occurs more often
    than it is known to, so that a lost step, or a shortened history, is made up for.

    Args:
        steps: By start.
    """
    retelling = _Retelling(steps)
    for step in steps:
        if isinstance(step, ToolStep):
            retelling.run(step)
        else:
            retelling.hear(step.given)
            for turn in step.said:
                retelling.say(turn)
    return retelling.conversation


class _Retelling:
    def __init__(self, steps: Iterable[ModelStep | ToolStep]) -> None:
        self.conversation = Conversation()
        self._has_input = False
        self._known: dict[Hashable, int] = {}
        """How often each text, call and answer is known to occur."""
        self._heard: Sequence[Turn] = ()
        """What the last model was given."""
        self._seen: dict[Hashable, int] = {}
        """How often each text, call and answer occurs in that."""
        self._ids = _call_ids(steps)
        self._waiting: dict[str, deque[str | None]] = {}
        """Ids of calls, by the tool's name, in the order in which they were told."""
        self._ran: set[str] = set()

    def hear(self, given: Sequence[Turn]) -> None:
        history, begun = self._history(given), len(self._heard)
        if not _begins_with(given, self._heard):
            begun, self._seen = 0, {}
        for at, turn in enumerate(given[begun:], begun):  # nothing is new of what was heard last
            is_said = turn.role == "assistant" and bool(turn.text)
            text = turn.text if is_said and self._is_new(("text", turn.text)) else ""
            calls = [call for call in turn.calls if self._is_new(_key(call))]
            answers = [a for a in turn.answers if self._is_new((a.call_id, a.name))]
            if at >= history:
                self._tell(text, calls)
                for answer in answers:
                    self._answer(answer)
        self._heard = given

    def _history(self, given: Sequence[Turn]) -> int:
        """How many messages are history; also takes the input from what is given first."""
        if self._has_input:
            return 0
        asked = [at for at, turn in enumerate(given) if turn.role == "user"]
        if not asked:
            return 0
        self._has_input = True
        self.conversation.input = given[asked[-1]].text
        return asked[-1]

    def _is_new(self, key: Hashable) -> bool:
        count = self._seen[key] = self._seen.get(key, 0) + 1
        if count <= self._known.get(key, 0):
            return False
        self._known[key] = count
        return True

    def say(self, turn: Turn) -> None:
        if turn.text:
            self._know(("text", turn.text))
        for call in turn.calls:
            self._know(_key(call))
        for answer in turn.answers:
            self._know((answer.call_id, answer.name))
        self._tell(turn.text, turn.calls)
        for answer in turn.answers:
            self._answer(answer)

    def _know(self, key: Hashable) -> None:
        self._known[key] = self._known.get(key, 0) + 1

    def _tell(self, text: str, calls: Sequence[Call]) -> None:
        if text or calls:
            self.conversation.say(text, calls)
        for call in calls:
            self._waiting.setdefault(call.name, deque()).append(call.id)

    def _answer(self, answer: Answer) -> None:
        is_error = answer.is_error and answer.call_id not in self._ran  # the tool's span knows best
        if answer.call_id is None:
            self.conversation.answer_to(answer.name, answer.result, is_error=is_error)
        else:
            self.conversation.answer(answer.call_id, answer.result, is_error=is_error)

    def run(self, step: ToolStep) -> None:
        """Join a tool's run to the call of its id, else to the first of its name, else tell it."""
        call, result, is_error = step.call, step.result, step.is_error
        if call.id is None or call.id not in self._ids:
            found = self._first_waiting(call.name)
            if found is None:
                self.conversation.say("", [call])
            else:
                call = found
        if call.id is None:
            self.conversation.answer_to(call.name, result, is_error=is_error)
        else:
            self._ran.add(call.id)
            self.conversation.answer(call.id, result, is_error=is_error)

    def _first_waiting(self, name: str) -> Call | None:
        waiting = self._waiting.get(name)
        while waiting:
            call_id = waiting.popleft()
            if call_id not in self._ran:
                return Call(call_id, name)
        return None


def _call_ids(steps: Iterable[ModelStep | ToolStep]) -> set[str]:
    """Ids of all calls that models are known to have made."""
    ids: set[str] = set()
    heard: Sequence[Turn] = ()
    for step in steps:
        if isinstance(step, ModelStep):
            begun = len(heard) if _begins_with(step.given, heard) else 0
            turns = (*step.given[begun:], *step.said)
            ids.update(call.id for turn in turns for call in turn.calls if call.id is not None)
            heard = step.given
    return ids


def _begins_with(given: Sequence[Turn], heard: Sequence[Turn]) -> bool:
    """Whether the same turns are given again; equal ones would take longer to tell."""
    return len(given) >= len(heard) and all(map(is_, given, heard))


def _key(call: Call) -> Hashable:
    return ("call", call.id or (call.name, to_json(unwritten(call.args))))

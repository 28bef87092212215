"""A finished agent run and what the checks see of it."""

import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from live_scoring.core.wire import whole_ms

State = Literal["result", "call", "partial-call"]

_ASCII = bytes(range(128))
_LONE = re.compile("[\ud800-\udfff]+")

ID_LIMIT = 1024
"""Characters of an id at most: it becomes a key and a label."""


def join_texts(texts: Iterable[str], separator: str) -> str:
    """Join texts as UTF-16 code units: halves of a pair that meet become one character."""
    joined = separator.join(texts)
    try:
        joined.encode()
    except UnicodeEncodeError:  # it holds surrogates
        return _paired(joined)
    return joined


def to_utf8(text: str) -> bytes:
    """Encode text, a lone surrogate as U+FFFD, the way JavaScript encodes a string."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _LONE.sub(lambda lone: "\ufffd" * len(lone[0]), _paired(text)).encode()


def as_name(text: str) -> str:
    """Text as UTF-8 and Prometheus can hold it: a lone surrogate, and NUL, become U+FFFD.

    What names agents and groups stands in keys and labels, where two names would be one.
    """
    return text if text.isprintable() else to_utf8(text).decode().replace("\0", "\ufffd")


def lower(text: str) -> str:
    """`text.lower()`, in half the time where all letters beyond ASCII are small already."""
    if text.isascii():
        return text.lower()
    try:
        units = text.encode()
    except UnicodeEncodeError:
        return text.lower()
    beyond = units.translate(None, _ASCII).decode()
    return units.lower().decode() if beyond.lower() == beyond else text.lower()


def _paired(text: str) -> str:
    # JSON pairs them too, 20 times as quick as the codec of UTF-16 on many that are lone.
    return str(json.loads(json.dumps(text)))


def _as_utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _as_tag(value: object) -> object:
    """Accept the scalars that producers put into tags; `true` is the text "true"."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


def _as_id(value: str) -> str:
    """Bound an id. pydantic's own length checks refuse lone surrogates, which an id may hold."""
    if not 0 < len(value) <= ID_LIMIT:
        facts = {"length": len(value), "limit": ID_LIMIT}
        raise PydanticCustomError("id", "Has {length} characters; give 1 to {limit}", facts)
    return value


def _as_agent_id(value: str) -> str:
    return as_name(_as_id(value))


def _as_reference(value: str) -> str:
    """Bound an id that every score of the run repeats; it may be empty."""
    return _as_id(value) if value else value


_ID_SCHEMA = WithJsonSchema({"type": "string", "minLength": 1, "maxLength": ID_LIMIT})
Id = Annotated[str, AfterValidator(_as_id), _ID_SCHEMA]
AgentId = Annotated[str, AfterValidator(_as_agent_id), _ID_SCHEMA]
Reference = Annotated[
    str,
    AfterValidator(_as_reference),
    WithJsonSchema({"type": "string", "maxLength": ID_LIMIT}),
]
Moment = Annotated[
    datetime,
    AfterValidator(_as_utc),
    WithJsonSchema({"type": ["string", "number"], "format": "date-time"}),
]
Tag = Annotated[
    str, BeforeValidator(_as_tag), WithJsonSchema({"type": ["string", "number", "boolean"]})
]


T = TypeVar("T")


class _Once(Generic[T]):
    """A property worked out once; `cached_property` takes a lock before Python 3.12, at 0.7 µs."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    def __get__(self, record: BaseModel, owner: type[BaseModel]) -> T:
        value = record.__dict__[self._name] = self._work(record)
        return value


class RunRecord(BaseModel):
    """What the records of a run share: frozen, snake or camel case, unknown keys ignored."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        alias_generator=to_camel,
        populate_by_name=True,
        loc_by_alias=False,
        use_attribute_docstrings=True,
        ignored_types=(_Once,),
    )


class ToolInvocation(RunRecord):
    """One tool invocation of a message."""

    id: str | None = None
    name: str = ""
    args: Any = None
    state: State = "result"
    """`result` ended (`is_error`: it failed), `call` never finished, `partial-call` was still
    streaming its arguments and is neither a call nor an error."""
    is_error: bool = False
    result: Any = None

    @property
    def is_call(self) -> bool:
        """Whether the agent asked for this tool: named, and its arguments complete."""
        return bool(self.name) and self.state != "partial-call"

    @property
    def has_failed(self) -> bool:
        """Whether it is an error: failed, or asked for and never finished."""
        return self.is_error or self.state == "call"


class Message(RunRecord):
    """One message of a run's output."""

    role: str
    text: str
    """May be empty; required, so that a foreign message format is never read as silence."""
    tool_invocations: tuple[ToolInvocation, ...] = ()


class AgentRun(RunRecord):
    """One finished run of an agent; on the wire its keys are in snake or in camel case."""

    run_id: Id
    agent_id: AgentId
    """NUL and lone surrogates, which no label or key can hold, become U+FFFD."""
    timestamp: Moment | None = None
    """End of the run: RFC 3339, or seconds or milliseconds since the epoch."""
    input: Any = None
    output: tuple[Message, ...]
    conversation_id: Reference | None = None
    trace_id: Reference | None = None
    tags: dict[str, Tag] = Field(default_factory=dict)
    model: str | None = None
    input_tokens: Annotated[int, Field(ge=0)] | None = None
    output_tokens: Annotated[int, Field(ge=0)] | None = None
    total_tokens: Annotated[int, Field(ge=0)] | None = None
    duration_ms: Annotated[float, Field(ge=0)] | None = None
    cost_usd: Annotated[float, Field(ge=0)] | None = None
    error: Annotated[
        str | None, Field(validation_alias=AliasChoices("error", "run_error", "runError"))
    ] = None
    """Why the run itself failed, if it did; on the wire also `run_error`."""
    has_content: bool = True
    """False where texts, arguments and results were not captured: checks on them do not apply."""

    @_Once
    def spaced_text(self) -> str:
        """The assistant's texts joined by one space, for `includes`, `excludes`, `similarity`."""
        return join_texts([m.text for m in self.output if m.role == "assistant"], " ")

    @_Once
    def joined_text(self) -> str:
        """The assistant's texts joined by nothing, for `equals` and `matches`."""
        return join_texts([m.text for m in self.output if m.role == "assistant"], "")

    @_Once
    def spaced_lower(self) -> str:
        """`spaced_text` in lower case, which many checks of one run ask for."""
        return lower(self.spaced_text)

    @_Once
    def invocations(self) -> tuple[ToolInvocation, ...]:
        """Every tool invocation, of messages of every role, in order."""
        return tuple([i for message in self.output for i in message.tool_invocations])

    @_Once
    def called_tools(self) -> tuple[str, ...]:
        """Names of the tools that were called, in order, repeats kept."""
        return tuple([i.name for i in self.invocations if i.is_call])

    @_Once
    def has_failed(self) -> bool:
        """Whether the run reports an error or any of its invocations failed."""
        return self.error is not None or any(i.has_failed for i in self.invocations)

    @_Once
    def end_ms(self) -> int | None:
        """End of the run in whole milliseconds since the epoch."""
        return None if self.timestamp is None else whole_ms(self.timestamp)

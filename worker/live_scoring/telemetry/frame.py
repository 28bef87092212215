"""What stands around the messages of a payload: ids, time, tags, model and usage."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun, Moment
from live_scoring.core.wire import Count, to_json
from live_scoring.telemetry.conversation import Conversation
from live_scoring.telemetry.envelope import Envelope


def _named(*names: str | AliasPath) -> Any:
    return Field(default=None, validation_alias=AliasChoices(*names))


def _scalars(value: object) -> dict[str, Any]:
    pairs = value.items() if isinstance(value, Mapping) else ()
    return {key: scalar for key, scalar in pairs if isinstance(scalar, str | bool | int | float)}


def _error_text(value: object) -> object:
    """Read an error as APIs tell it: a text, or an object with a message."""
    message = value.get("message", value) if isinstance(value, dict) else value
    if message is None or message is False or isinstance(message, str):
        return message or None
    return to_json(message).decode()


Scalars = Annotated[dict[str, Any], BeforeValidator(_scalars), Field(default_factory=dict)]


class Usage(BaseModel):
    """Tokens, as APIs of many names count them."""

    input_tokens: Count | None = _named(
        "input_tokens", "inputTokens", "prompt_tokens", "promptTokens", "request_tokens"
    )
    output_tokens: Count | None = _named(
        "output_tokens", "outputTokens", "completion_tokens", "completionTokens", "response_tokens"
    )
    total_tokens: Count | None = _named("total_tokens", "totalTokens")


def tokens_of(usages: Iterable[Usage | None]) -> dict[str, int]:
    """Fields of the run that used all these."""
    told: Counter[str] = Counter()
    for usage in usages:
        if usage is not None:
            told.update(usage.model_dump(exclude_none=True))
    return dict(told)


class _Frame(BaseModel):
    model_config = ConfigDict(loc_by_alias=False, coerce_numbers_to_str=True)

    run_id: str | None = _named("run_id", "runId", AliasPath("metadata", "run_id"), "id")
    agent_id: str | None = _named(
        "agent_id",
        "agentId",
        AliasPath("agent", "id"),
        AliasPath("agent", "name"),
        "agent",
        "agent_name",
        "agentName",
    )
    timestamp: Moment | None = _named(
        "timestamp",
        "ended_at",
        "endedAt",
        "end_time",
        "endTime",
        "completed_at",
        "completedAt",
        "created_at",
        "createdAt",
        "created",
    )
    conversation_id: str | None = _named(
        "conversation_id",
        "conversationId",
        "thread_id",
        "threadId",
        "session_id",
        "sessionId",
        AliasPath("metadata", "thread_id"),
        AliasPath("config", "configurable", "thread_id"),
        AliasPath("conversation", "id"),
        "conversation",
    )
    trace_id: str | None = _named("trace_id", "traceId")
    model: str | None = _named("model", "model_name", "modelName", "model_id", "modelId")
    duration_ms: float | None = _named("duration_ms", "durationMs")
    cost_usd: float | None = _named("cost_usd", "costUsd")
    error: Annotated[str | None, BeforeValidator(_error_text)] = None
    tags: Scalars
    metadata: Scalars
    usage: Usage | None = None

    def fields(self) -> dict[str, Any]:
        """What it tells, by the names of a run's fields."""
        told = self.model_dump(exclude_none=True, exclude={"usage", "metadata"})
        usage = self.usage.model_dump(exclude_none=True) if self.usage else {}
        return told | usage | {"tags": self.metadata | self.tags}


def messages_in(payload: Any) -> list[Any] | None:
    """The payload's messages: the payload itself, or what it has under `messages`."""
    found = payload.get("messages") if isinstance(payload, dict) else payload
    return found if isinstance(found, list) and found else None


def opened(payload: Any) -> tuple[list[Any], dict[str, Any]]:
    """The payload's messages, and the objects around them as one.

    A log of a `request` and its `response` is as one object; what stands beside them comes first.
    The `id` of an object that has `messages` is taken for the conversation's: as a run's it would
    let the first turn of a conversation count alone.
    """
    if not isinstance(payload, dict):
        return messages_in(payload) or [], {}
    told = (payload.get("request"), payload.get("response"), payload)
    frame = {key: value for part in told if isinstance(part, dict) for key, value in part.items()}
    if "messages" in payload and "id" in payload:
        frame.setdefault("conversation", frame.pop("id"))
    return messages_in(frame) or [], frame


def to_run(
    conversation: Conversation, frame: Any, envelope: Envelope, told: Mapping[str, Any]
) -> AgentRun:
    """The run at the end of a conversation, with what `fields_of` finds around it.

    Raises:
        DecodeError: The assistant said nothing and no error says why, or no agent is named.
        ValidationError: A field is bad.
    """
    fields, output = fields_of(frame, envelope, told), conversation.output
    if not output and "error" not in fields:
        raise DecodeError("no_content", "messages: no assistant's follows the user's last")
    return AgentRun(input=conversation.input, output=output, **fields)


def fields_of(frame: Any, envelope: Envelope, told: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a run by name, but for input and output.

    Args:
        frame: The object that the messages stand in; any other value tells nothing.
        envelope: What names run and agent where nothing else does.
        told: Fields that the messages tell where the frame does not; None tells nothing.

    Raises:
        DecodeError: No agent is named.
        ValidationError: A field is bad.
    """
    read = _Frame.model_validate(_known(frame) if isinstance(frame, dict) else {})
    fields = _known(told) | read.fields()
    fields.setdefault("run_id", envelope.run())
    if "agent_id" not in fields:
        fields["agent_id"] = _agent_of(envelope)
    return fields


def _known(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _agent_of(envelope: Envelope) -> str:
    agent_id = envelope.agent()
    if agent_id is None:
        raise DecodeError(
            "missing_field",
            "agent_id: neither in the payload nor in the header agent-id, the topic's setting or "
            "the record's key; name the agent in one of them",
        )
    return agent_id

"""What stands around the messages of a payload: ids, time, tags, model and usage."""

from collections.abc import Mapping
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


class _Usage(BaseModel):
    input_tokens: Count | None = _named(
        "input_tokens", "inputTokens", "prompt_tokens", "promptTokens"
    )
    output_tokens: Count | None = _named(
        "output_tokens", "outputTokens", "completion_tokens", "completionTokens"
    )
    total_tokens: Count | None = _named("total_tokens", "totalTokens")


class _Frame(BaseModel):
    model_config = ConfigDict(loc_by_alias=False, coerce_numbers_to_str=True)

    run_id: str | None = _named("run_id", "runId", "id")
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
        AliasPath("conversation", "id"),
        "conversation",
        "thread_id",
        "threadId",
        "session_id",
        "sessionId",
    )
    trace_id: str | None = _named("trace_id", "traceId")
    model: str | None = _named("model", "model_name", "modelName", "model_id", "modelId")
    duration_ms: float | None = _named("duration_ms", "durationMs")
    cost_usd: float | None = _named("cost_usd", "costUsd")
    error: Annotated[str | None, BeforeValidator(_error_text)] = None
    tags: Scalars
    metadata: Scalars
    usage: _Usage | None = None

    def fields(self) -> dict[str, Any]:
        """What it tells, by the names of a run's fields."""
        told = self.model_dump(exclude_none=True, exclude={"usage", "metadata"})
        usage = self.usage.model_dump(exclude_none=True) if self.usage else {}
        return told | usage | {"tags": self.metadata | self.tags}


def messages_in(payload: Any) -> list[Any] | None:
    """The payload's messages: the payload itself, or what it has under `messages`."""
    found = payload.get("messages") if isinstance(payload, dict) else payload
    return found if isinstance(found, list) and found else None


def to_run(
    conversation: Conversation, frame: Any, envelope: Envelope, told: Mapping[str, Any]
) -> AgentRun:
    """The run at the end of a conversation.

    Args:
        conversation: Its messages.
        frame: The object that they stand in; any other value tells nothing.
        envelope: What names run and agent where nothing else does.
        told: Fields of the run, by name, that the messages tell where the frame does not; None
            tells nothing.

    Raises:
        DecodeError: The assistant said nothing and no error says why, or no agent is named.
        ValidationError: A field is bad.
    """
    read = _Frame.model_validate(frame if isinstance(frame, dict) else {}).fields()
    fields = {name: value for name, value in told.items() if value is not None} | read
    output = conversation.output
    if not output and "error" not in fields:
        raise DecodeError("no_content", "messages: no assistant's follows the user's last")
    fields.setdefault("run_id", envelope.run())
    if "agent_id" not in fields:
        fields["agent_id"] = _agent_of(envelope)
    return AgentRun(input=conversation.input, output=output, **fields)


def _agent_of(envelope: Envelope) -> str:
    agent_id = envelope.agent()
    if agent_id is None:
        raise DecodeError(
            "missing_field",
            "agent_id: neither in the payload nor in the header agent-id, the topic's setting or "
            "the record's key; name the agent in one of them",
        )
    return agent_id

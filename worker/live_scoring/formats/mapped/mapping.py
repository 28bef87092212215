"""What a mapping of the configuration holds: for each part of a run the place where it lies."""

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from live_scoring.formats.mapped.places import Path, Place


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class MessagesMapping(_Section):
    """A list of messages; paths in it begin at the message."""

    at: Path
    """The messages: a path to their list, or to each of them."""
    role: Place
    """Who speaks."""
    text: Place
    """What is said; of several texts the pieces are joined by nothing."""
    roles: dict[str, str] = Field(default_factory=dict)
    """Roles under other names, such as `{bot: assistant, human: user}`."""


class ToolCallsMapping(_Section):
    """Tool calls; paths in it begin at the call."""

    at: Path
    """The calls: a path to their list, or to each of them; with `messages` it begins at the
    message."""
    name: Place
    """The tool's name."""
    id: Place | None = None
    """What joins a call to its result."""
    arguments: Place | None = None
    """An object, or JSON in a text."""
    result: Place | None = None
    """What the tool gave; a call without result and error has not finished. Where no place is
    given for either, every call has."""
    error: Place | None = None
    """Present, and neither false, null, zero nor empty, where the call failed."""


class ToolResultsMapping(_Section):
    """Results that stand elsewhere than their calls; paths in it begin at the result."""

    at: Path
    """The results: a path to their list, or to each of them; with `messages` it begins at the
    message."""
    id: Place
    """The id of the call."""
    result: Place | None = None
    """What the tool gave."""
    error: Place | None = None
    """Present, and neither false, null, zero nor empty, where the call failed."""


class RunMapping(_Section):
    """Where the parts of a run lie in a topic's JSON."""

    agent_id: Place | None = None
    """The agent; none is the header `agent-id`, or the record's key."""
    run_id: Place | None = None
    """The run; none is the header `run-id`, or the record's topic, partition and offset."""
    timestamp: Place | None = None
    """End of the run: RFC 3339, or seconds or milliseconds since the epoch."""
    input: Place | None = None
    """What the agent was asked; with `messages` none is the last user message."""
    text: Place | None = None
    """The agent's answer, or several; give this or `messages`."""
    messages: MessagesMapping | None = None
    """The run as a list of messages; what precedes the last user message is history."""
    tool_calls: ToolCallsMapping | None = None
    """Calls of the run or, with `messages`, of each message."""
    tool_results: ToolResultsMapping | None = None
    """Results that stand elsewhere than their calls."""
    tags: dict[str, Place] = Field(default_factory=dict)
    """Tags by name, such as `{environment: $.env}`."""
    conversation_id: Place | None = None
    """The conversation that the run belongs to."""
    trace_id: Place | None = None
    """The trace of the run: sampling draws by it."""
    model: Place | None = None
    """The model that answered."""
    error: Place | None = None
    """Why the run itself failed; such a run may lack its text."""

    @model_validator(mode="after")
    def _has_output(self) -> Self:
        if (self.text is None) == (self.messages is None):
            raise ValueError("where the output lies must be said once; give text or messages")
        if self.tool_results and not (self.tool_calls and self.tool_calls.id):
            raise ValueError("tool_results joins no call; give tool_calls with an id")
        return self

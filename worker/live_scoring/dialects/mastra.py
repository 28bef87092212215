"""Mastra's exported spans (`@mastra/core` 1.71, `@mastra/observability` 1.17).

A run is a span `agent_run`. As in Mastra's own messages, all that it said and called is one
message; its text is what the agent returned, after output processors had changed it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun, join_texts
from live_scoring.core.wire import to_json
from live_scoring.telemetry.conversation import Call
from live_scoring.telemetry.frame import Usage, tokens_of
from live_scoring.telemetry.retelling import ModelStep, ToolStep, Turn, retell
from live_scoring.telemetry.span import MASTRA, Span
from live_scoring.telemetry.steps import Kind, Steps, divide
from live_scoring.telemetry.traced import Facts, to_run

_KINDS: dict[str, Kind] = {
    "agent_run": "agent",
    "model_generation": "model",
    "llm_generation": "model",  # before 1.0
    "tool_call": "tool",
    "mcp_tool_call": "tool",
    "client_tool_call": "tool",
    "provider_tool_call": "tool",
}
_CHUNK, _TEXT, _APPROVAL = "model_chunk", "text", "tool-call-approval"
_NO_TAGS = ("runId", "threadId", "resumed", "resumedFromSpanId")


_CUT = "…[truncated]"
"""How Mastra ends a text that is longer than `maxStringLength`."""


def _unwrapped(calls: object) -> object:
    """Calls without the envelope that streams put around them.

    The text that ends a list longer than `maxArrayLength` is left out: the tools' own spans tell.
    """
    if not isinstance(calls, list):
        return calls
    told = [call for call in calls if not isinstance(call, str)]
    return [call.get("payload", call) if isinstance(call, dict) else call for call in told]


def _as_output(output: object) -> object:
    return output if isinstance(output, dict) else {"text": output}


class _Called(BaseModel):
    id: str = Field(alias="toolCallId")
    name: str = Field(alias="toolName")
    args: Any = Field(None, validation_alias=AliasChoices("args", "input"))

    def call(self) -> Call:
        return Call(self.id, self.name, self.args)


class _Output(BaseModel):
    """What an agent or a model gave."""

    text: str | None = None
    object: Any = None
    calls: Annotated[tuple[_Called, ...], BeforeValidator(_unwrapped)] = Field(
        (), alias="toolCalls"
    )
    waits_for: str | None = Field(None, alias="toolCallId")
    """The call whose approval or data an agent was left waiting for."""
    tripwire: Any = None

    @property
    def said(self) -> str | None:
        """The text; None where it is left out."""
        if self.text is None and self.object is not None:
            return to_json(self.object).decode()
        return "" if self.text is None and self.tripwire is not None else self.text


class _Attributes(BaseModel):
    conversation_id: str | None = Field(None, alias="conversationId")
    call_id: str | None = Field(None, alias="toolCallId")
    success: bool | None = None
    model: str | None = Field(None, validation_alias=AliasChoices("responseModel", "model"))
    usage: Usage | None = None


class _Told(BaseModel):
    """A span as it was exported."""

    model_config = ConfigDict(frozen=True)

    id: str
    entity_id: str | None = Field(None, alias="entityId")
    entity_name: str | None = Field(None, alias="entityName")
    attributes: _Attributes = _Attributes()
    metadata: dict[str, Any] = {}
    input: Any = None
    output: Any = None


class _Speaking(_Told):
    """The span of an agent, of a model, or of a piece of text that a model streamed."""

    output: Annotated[_Output, BeforeValidator(_as_output)] = _Output()


def recognises(span: Span) -> bool:
    """Whether it is an exported span of an agent, a model or a tool."""
    is_its = span.scope == MASTRA
    return is_its and (_kind_of(span) is not None or _chunk_type(span) == _TEXT)


def _kind_of(span: Span) -> Kind | None:
    if span.scope != MASTRA:
        return None
    if _chunk_type(span) == _APPROVAL:
        return "tool"
    kind = span.attributes.get("type")
    return _KINDS.get(kind) if isinstance(kind, str) else None


def _chunk_type(span: Span) -> Any:
    """The type of a chunk of a model's stream; None for any other span."""
    told = span.attributes.get("attributes")
    is_chunk = span.scope == MASTRA and span.attributes.get("type") == _CHUNK
    return told.get("chunkType") if is_chunk and isinstance(told, dict) else None


def read(spans: Sequence[Span]) -> Sequence[AgentRun]:
    """Read a run for each outermost agent; models and tools outside of all agents make none.

    Raises:
        DecodeError: What an agent said and called is left out or cut off, or it has no name.
        ValidationError: A field is missing or bad.
    """
    runs = [steps for steps in divide(spans, _kind_of) if steps.agent]
    streams = [steps.models for steps in divide(spans, _kind_in_stream) if steps.agent]
    told = zip(runs, streams, strict=True)
    return [_run_of(steps, chunks, is_only=len(runs) == 1) for steps, chunks in told]


def _kind_in_stream(span: Span) -> Kind | None:
    """What a span is where pieces of text stand for the model that streamed them."""
    kind = _kind_of(span)
    if _chunk_type(span) == _TEXT:
        return "model"
    return None if kind == "model" else kind


def _run_of(steps: Steps, chunks: Iterable[Span], *, is_only: bool) -> AgentRun:
    span = steps.spans[0]
    agent, models = _spoken(span), [_spoken(model) for model in steps.models]
    calls = [called.call() for model in models for called in model.output.calls]
    # No output repeats what the models of an agent that waits for a person have streamed.
    text = _heard(chunks) if agent.output.waits_for else agent.output.said
    has_content = text is not None or bool(calls) or span.error is not None
    if not has_content and not steps.tools:
        raise DecodeError("no_content", "agent_run: its output is left out; unset hideOutput")
    if text and text.endswith(_CUT):
        raise DecodeError("truncated_json", "agent_run: its text is cut off; raise maxStringLength")
    tools = [(tool, _call_of(tool)) for tool in steps.tools]
    waiting = {agent.output.waits_for} - {None}
    ended = [_tool_step(t, call) for t, call in tools if _has_ended(t) and call.id not in waiting]
    calls += _untold(calls, [call for _, call in tools])
    said = Turn("assistant", text or "", tuple(calls))
    conversation = retell([ModelStep((), [said]), *ended])
    facts = replace(_facts_of(agent, models), has_content=has_content)
    return to_run(steps, conversation, facts, is_only=is_only)


def _has_ended(tool: Span) -> bool:
    return tool.end_ns is not None and _chunk_type(tool) is None


def _untold(told: Sequence[Call], made: Sequence[Call]) -> list[Call]:
    """The calls of tools that no model told; one without an id may be any that a model told."""
    by_id = {call.id: call for call in made if call.id}
    known = {call.id for call in told}
    nameless = [] if told else [call for call in made if not call.id]
    return [call for call_id, call in by_id.items() if call_id not in known] + nameless


def _spoken(span: Span) -> _Speaking:
    return _Speaking.model_validate(span.attributes)


def _heard(chunks: Iterable[Span]) -> str:
    return join_texts((_spoken(chunk).output.text or "" for chunk in chunks), "")


def _call_of(tool: Span) -> Call:
    if _chunk_type(tool) == _APPROVAL:
        return _Called.model_validate(tool.attributes.get("output")).call()
    told = _Told.model_validate(tool.attributes)
    return Call(told.attributes.call_id, told.entity_name or told.entity_id or "", told.input)


def _tool_step(tool: Span, call: Call) -> ToolStep:
    told = _Told.model_validate(tool.attributes)
    if tool.error is not None:
        return ToolStep(call, tool.error, is_error=True)
    return ToolStep(call, told.output, is_error=told.attributes.success is False)


def _facts_of(agent: _Speaking, models: Sequence[_Speaking]) -> Facts:
    told = agent.metadata
    names = [model.attributes.model for model in models]
    tokens = tokens_of(model.attributes.usage for model in models)
    return Facts(
        agent_id=agent.entity_id or agent.entity_name,
        input=_asked(agent.input),
        conversation_id=agent.attributes.conversation_id or told.get("threadId"),
        model=next(filter(None, reversed(names)), None),
        input_tokens=tokens.get("input_tokens"),
        output_tokens=tokens.get("output_tokens"),
        total_tokens=tokens.get("total_tokens"),
        run_id=_run_id_of(agent),
        tags={key: value for key, value in told.items() if key not in _NO_TAGS},
    )


def _run_id_of(agent: _Speaking) -> str | None:
    """The id that Mastra gave; a run that was left waiting keeps it when it is taken up again."""
    run_id = agent.metadata.get("runId")
    return f"{run_id}:{agent.id}" if run_id and agent.metadata.get("resumed") else run_id


def _asked(given: Any) -> Any:
    """The text of the user's last message, or what was given where it holds none."""
    told = given.get("messages", given) if isinstance(given, dict) else given
    messages = told if isinstance(told, list) else [told]
    if messages and isinstance(messages[-1], str):  # texts, or what ends a list that is cut off
        return given
    asked = (m for m in reversed(messages) if isinstance(m, dict) and m.get("role") == "user")
    return next((text for message in asked if (text := _text_in(message))), given)


def _text_in(message: dict[str, Any]) -> str:
    """The text of a message: its content, or the text parts of it, joined by nothing."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content.get("parts") if isinstance(content, dict) else content
    told = (part for part in parts if isinstance(part, dict)) if isinstance(parts, list) else ()
    return join_texts((text for part in told if isinstance(text := part.get("text"), str)), "")

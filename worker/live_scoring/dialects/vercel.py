"""Spans of Vercel's AI SDK up to 6: attributes `ai.*`, as package `ai` 4 to 6.0.326 writes them.

A run is a call of `generateText`, `streamText` or their kin for objects; its steps are the spans
`….doGenerate` and `….doStream`, its tools `ai.toolCall`. What `ai` 7 writes is OTel GenAI.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun
from live_scoring.telemetry.attributes import (
    count_in,
    error_of,
    first_text,
    tool_error_of,
    total,
    written_json,
)
from live_scoring.telemetry.conversation import Call
from live_scoring.telemetry.history import History
from live_scoring.telemetry.parts import Part, as_parts, text_of
from live_scoring.telemetry.retelling import Answer, ModelStep, ToolStep, Turn, retell
from live_scoring.telemetry.span import Span
from live_scoring.telemetry.steps import Kind, Steps, divide
from live_scoring.telemetry.traced import Facts, to_run

_AGENTS = ("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject")
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(_AGENTS, "agent"),
    **{f"{agent}.{do}": "model" for agent in _AGENTS for do in ("doGenerate", "doStream")},
    "ai.toolCall": "tool",
}
_MESSAGES = "ai.prompt.messages"
_METADATA = "ai.telemetry.metadata."
_CONVERSATIONS = ("sessionId", "conversationId", "threadId", "chatId", "session_id", "thread_id")
_MODELS = ("ai.response.model", "ai.model.id")
_INPUT_TOKENS = ("ai.usage.inputTokens", "ai.usage.promptTokens", "gen_ai.usage.input_tokens")
_OUTPUT_TOKENS = (
    "ai.usage.outputTokens",
    "ai.usage.completionTokens",
    "gen_ai.usage.output_tokens",
)
_SAID = ("ai.response.text", "ai.response.object", "ai.response.toolCalls")
_FAILED = ("error-text", "error-json", "execution-denied")


class _Called(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: str = Field(alias="toolCallId")
    name: str = Field(alias="toolName")
    args: Any = Field(None, validation_alias=AliasChoices("input", "args"))
    is_invalid: bool = Field(default=False, alias="invalid")

    def call(self) -> Call:
        return Call(self.id, self.name, self.args, is_unparsed=self.is_invalid)


class _Part(Part):
    """A part of a message that a model was given: text, a tool call, or its result."""

    id: str | None = Field(None, alias="toolCallId")
    name: str = Field("", alias="toolName")
    args: Any = Field(None, validation_alias=AliasChoices("input", "args"))
    result: Any = Field(None, validation_alias=AliasChoices("output", "result"))
    """Since `ai` 5 an object that names its type."""

    def answer(self) -> Answer:
        is_typed = isinstance(self.result, dict) and "type" in self.result
        told = self.result.get("value", self.result.get("reason")) if is_typed else self.result
        has_failed = is_typed and self.result["type"] in _FAILED
        result = (told or "denied") if has_failed else told
        return Answer(self.id, self.name, result, is_error=has_failed)


class _Given(BaseModel):
    role: Literal["user", "assistant", "tool", "system"]
    content: Annotated[tuple[_Part, ...], BeforeValidator(as_parts)] = ()

    def turn(self) -> Turn:
        parts = self.content
        return Turn(
            self.role if self.role in ("user", "assistant") else "other",
            text_of(parts),
            tuple(Call(p.id, p.name, p.args) for p in parts if p.type == "tool-call"),
            tuple(p.answer() for p in parts if p.type == "tool-result"),
        )


_CALLED = TypeAdapter(tuple[_Called, ...])
_GIVEN = TypeAdapter(tuple[_Given, ...])


def recognises(span: Span) -> bool:
    """Whether it is a span of the SDK before its 7."""
    return _kind_of(span) is not None


def _kind_of(span: Span) -> Kind | None:
    operation = span.attributes.get("ai.operationId")
    return _KINDS.get(operation) if isinstance(operation, str) else None


def read(spans: Sequence[Span]) -> Sequence[AgentRun]:
    """Read a run for each outermost call of the SDK.

    Raises:
        DecodeError: What was said and called is left out or cut off, or no agent is named.
        ValidationError: A field is missing or bad.
    """
    runs = divide(spans, _kind_of)
    return [_run_of(steps, is_only=len(runs) == 1) for steps in runs]


def _run_of(steps: Steps, *, is_only: bool) -> AgentRun:
    models = steps.models or ([steps.agent] if steps.agent else [])
    has_failed = steps.agent is not None and error_of(steps.agent) is not None
    has_content = has_failed or any(key in span.attributes for span in models for key in _SAID)
    if not has_content and not _are_calls_told(steps):
        raise DecodeError(
            "no_content", "ai.response: what the model said is left out; set recordOutputs to true"
        )
    told = [*models, *(tool for tool in steps.tools if tool.end_ns is not None)]
    told.sort(key=lambda span: span.start_ns)
    history = History()
    conversation = retell([_step_of(span, history) for span in told])
    facts = replace(_facts_of(steps), has_content=has_content)
    return to_run(steps, conversation, facts, is_only=is_only)


def _are_calls_told(steps: Steps) -> bool:
    """Whether it is known without outputs which tools were called: by spans, or none at all."""
    reasons = [first_text(span.attributes, "ai.response.finishReason") for span in steps.models]
    has_called_none = bool(reasons) and {None, "tool-calls"}.isdisjoint(reasons)
    return bool(steps.tools) or has_called_none


def _facts_of(steps: Steps) -> Facts:
    first = steps.spans[0]
    models = [span.attributes for span in steps.models]
    named = (first_text(told, *_MODELS) for told in (*reversed(models), first.attributes))
    metadata = {
        name.removeprefix(_METADATA): value
        for name, value in first.attributes.items()
        if name.startswith(_METADATA)
    }
    return Facts(
        agent_id=first_text(first.attributes, "ai.telemetry.functionId")
        or first_text(first.resource, "service.name"),
        conversation_id=first_text(metadata, *_CONVERSATIONS),
        model=next(filter(None, named), None),
        input_tokens=total(count_in(told, *_INPUT_TOKENS) for told in models),
        output_tokens=total(count_in(told, *_OUTPUT_TOKENS) for told in models),
        tags=metadata,
    )


def _step_of(span: Span, history: History) -> ModelStep | ToolStep:
    attributes = span.attributes
    if _kind_of(span) == "tool":
        error = tool_error_of(span)
        call = Call(
            first_text(attributes, "ai.toolCall.id"),
            first_text(attributes, "ai.toolCall.name") or "",
            attributes.get("ai.toolCall.args"),
        )
        result = error or _lenient_json(attributes, "ai.toolCall.result")
        return ToolStep(call, result, is_error=error is not None)
    calls = written_json(attributes.get("ai.response.toolCalls"), "ai.response.toolCalls")
    said = Turn(
        "assistant",
        first_text(attributes, "ai.response.text", "ai.response.object") or "",
        tuple(called.call() for called in _CALLED.validate_python(calls or ())),
    )
    return ModelStep(_given(attributes, history), [said])


def _given(attributes: Mapping[str, Any], history: History) -> Sequence[Turn]:
    """What the model was given; nothing where that is left out or cut off."""
    messages = attributes.get(_MESSAGES)
    return (
        history.of_text(messages, _turns_of) if isinstance(messages, str) else _turns_of(messages)
    )


def _turns_of(messages: Any) -> Sequence[Turn]:
    value = _lenient_json({_MESSAGES: messages}, _MESSAGES)
    return (
        [each.turn() for each in _GIVEN.validate_python(value)] if isinstance(value, list) else ()
    )


def _lenient_json(attributes: Mapping[str, Any], name: str) -> Any:
    """The value of an attribute that is JSON; the text itself where it is cut off."""
    try:
        return written_json(attributes.get(name), name)
    except DecodeError:
        return attributes[name]

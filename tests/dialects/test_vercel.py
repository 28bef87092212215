"""How spans of Vercel's AI SDK are read, beyond what the golden cases show."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.score import Failure
from live_scoring.dialects import read_trace
from live_scoring.dialects.vercel import recognises
from live_scoring.telemetry.span import Span, SpanEvent
from tests.dialects.reading import refusal, run_of, runs_of
from tests.formats.strategies import JSON_VALUES, objects
from tests.telemetry.spans import span

_OPERATIONS = st.sampled_from(["ai.streamText", "ai.streamText.doStream", "ai.toolCall"])
_PARTS = objects(
    type=st.sampled_from(["text", "tool-call", "tool-result"]),
    text=st.text(max_size=3),
    toolCallId=st.sampled_from(["c1", "c2"]),
    toolName=st.just("book"),
    output=JSON_VALUES | objects(type=st.sampled_from(["json", "error-text"]), value=JSON_VALUES),
)
_MESSAGES = objects(
    role=st.sampled_from(["user", "assistant", "tool"]),
    content=st.text(max_size=3) | st.lists(_PARTS),
)
_CALLS = objects(toolCallId=st.just("c1"), toolName=st.just("book"), input=JSON_VALUES)
_ATTRIBUTES = {
    "ai.telemetry.functionId": JSON_VALUES,
    "ai.prompt.messages": st.lists(_MESSAGES).map(json.dumps) | JSON_VALUES,
    "ai.response.text": JSON_VALUES,
    "ai.response.toolCalls": st.lists(_CALLS).map(json.dumps) | JSON_VALUES,
    "ai.response.finishReason": JSON_VALUES,
    "ai.toolCall.id": st.just("c1") | JSON_VALUES,
    "ai.toolCall.name": st.just("book") | JSON_VALUES,
    "ai.toolCall.args": JSON_VALUES,
    "ai.toolCall.result": JSON_VALUES,
    "ai.usage.inputTokens": JSON_VALUES,
    "ai.telemetry.metadata.sessionId": JSON_VALUES,
}
_SPANS = st.builds(
    lambda place, operation, told: span(
        *place, attributes=told | {"ai.operationId": operation}, resource={"service.name": "desk"}
    ),
    st.sampled_from([("run", None), ("s1", "run"), ("s2", "run"), ("t1", "run"), ("t2", "s1")]),
    _OPERATIONS,
    st.fixed_dictionaries({}, optional=_ATTRIBUTES),
)
THROWN = SpanEvent("exception", 0, {"exception.type": "Error", "exception.message": "full"})
CALLED = {"toolCallId": "c1", "toolName": "book", "input": {"day": "Monday"}}
ASKS = {"ai.response.finishReason": "tool-calls"}
ASKED = {"role": "user", "content": [{"type": "text", "text": "Book"}]}


def generate(span_id: str = "run", parent_id: str | None = None, **fields: Any) -> Span:
    told = {"ai.operationId": "ai.generateText", "ai.telemetry.functionId": "desk"}
    attributes = told | fields.pop("told", {})
    return span(span_id, parent_id, attributes=attributes, **fields)


def step(span_id: str, *calls: dict[str, Any], **fields: Any) -> Span:
    told: dict[str, Any] = {"ai.operationId": "ai.generateText.doGenerate"}
    if "text" in fields:
        told["ai.response.text"] = fields.pop("text")
    if calls:
        told["ai.response.toolCalls"] = json.dumps(calls)
    if "given" in fields:
        told["ai.prompt.messages"] = json.dumps(fields.pop("given"))
    told |= fields.pop("told", {})
    return span(span_id, fields.pop("parent_id", "run"), attributes=told, **fields)


def tool(span_id: str, call_id: str = "c1", **fields: Any) -> Span:
    told = {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.id": call_id,
        "ai.toolCall.name": "book",
        "ai.toolCall.args": '{"day": "Monday"}',
    }
    attributes = told | fields.pop("told", {})
    return span(span_id, fields.pop("parent_id", "run"), attributes=attributes, **fields)


def outcome(*spans: Span) -> tuple[str, bool, Any]:
    (invocation,) = run_of(*spans).invocations
    return invocation.state, invocation.is_error, invocation.result


def test_spans_of_the_sdk_before_its_7_are_recognised() -> None:
    assert all(map(recognises, [generate(), step("s"), tool("t")]))
    assert not recognises(span("s", attributes={"ai.operationId": "ai.embed"}))
    assert not recognises(span("s", attributes={"ai.operationId": ["ai.toolCall"]}))
    assert not recognises(span("s", attributes={"gen_ai.operation.name": "chat"}))


@pytest.mark.parametrize(
    ("told", "outcome_told"),
    [
        ({"told": {"ai.toolCall.result": '{"desk": 4}'}}, ("result", False, {"desk": 4})),
        ({"told": {"ai.toolCall.result": '"desk 4"'}}, ("result", False, "desk 4")),
        ({"told": {"ai.toolCall.result": '{"desk": '}}, ("result", False, '{"desk": ')),
        ({}, ("result", False, None)),
        ({"error": "full"}, ("result", True, {"error": {"message": "full"}})),
        (
            {"events": (THROWN,), "error": "full"},
            ("result", True, {"error": {"type": "Error", "message": "full"}}),
        ),
        ({"end_ns": None}, ("call", False, None)),
    ],
)
def test_a_tool_ends_as_its_span_tells(
    told: dict[str, Any], outcome_told: tuple[str, bool, Any]
) -> None:
    assert outcome(generate(), step("s1", CALLED), tool("t1", at=1, **told)) == outcome_told


@pytest.mark.parametrize(
    ("result", "outcome_told"),
    [
        ({"output": {"type": "json", "value": {"desk": 4}}}, ("result", False, {"desk": 4})),
        ({"output": {"type": "text", "value": "desk 4"}}, ("result", False, "desk 4")),
        ({"output": {"type": "error-text", "value": "full"}}, ("result", True, {"error": "full"})),
        (
            {"output": {"type": "execution-denied", "reason": "no"}},
            ("result", True, {"error": "no"}),
        ),
        ({"output": {"type": "execution-denied"}}, ("result", True, {"error": "denied"})),
        ({"result": {"desk": 4}}, ("result", False, {"desk": 4})),
    ],
)
def test_a_tool_without_a_span_ends_as_the_next_step_is_told(
    result: dict[str, Any], outcome_told: tuple[str, bool, Any]
) -> None:
    answer = {"type": "tool-result", "toolCallId": "c1", "toolName": "book"} | result
    asking = {"role": "assistant", "content": [{"type": "tool-call"} | CALLED]}
    given = [ASKED, asking, {"role": "tool", "content": [answer]}]
    steps = step("s1", CALLED, given=[ASKED]), step("s2", at=2, text="Done.", given=given)
    assert outcome(generate(), *steps) == outcome_told


def test_a_call_that_nobody_answers_is_unfinished() -> None:
    assert outcome(generate(), step("s1", CALLED)) == ("call", False, None)


@pytest.mark.parametrize(
    ("call", "args", "is_error"),
    [
        (CALLED, {"day": "Monday"}, False),
        (CALLED | {"input": '{"day": "Monday"}'}, {"day": "Monday"}, False),
        (CALLED | {"input": '{"day": '}, '{"day": ', False),
        (CALLED | {"input": '{"day": ', "invalid": True}, '{"day": ', True),
        ({"toolCallId": "c1", "toolName": "book", "args": {"day": 1}}, {"day": 1}, False),
    ],
)
def test_arguments_come_as_objects_and_as_texts(
    call: dict[str, Any], args: Any, is_error: bool
) -> None:
    (invocation,) = run_of(generate(), step("s1", call)).invocations
    assert (invocation.args, invocation.is_error) == (args, is_error)


def test_a_tool_that_ran_before_the_first_step_is_a_call_of_the_run() -> None:
    run = run_of(generate(), tool("t1", "approved"), step("s1", at=1, text="Booked."))
    assert [len(message.tool_invocations) for message in run.output] == [1, 0]


def test_what_is_generated_inside_a_tool_is_not_of_the_run() -> None:
    run = run_of(
        generate(),
        step("s1", CALLED),
        tool("t1", at=1),
        generate("inner", "t1", at=2),
        step("s2", parent_id="inner", at=3, text="inner"),
        step("s3", at=4, text="outer"),
    )
    assert run.joined_text == "outer"


def test_one_trace_with_several_outermost_calls_is_several_runs() -> None:
    runs = runs_of(
        generate("a"),
        step("s1", parent_id="a", at=1, text="one"),
        generate("b", at=2),
        step("s2", parent_id="b", at=3, text="two"),
    )
    assert [(run.run_id, run.joined_text) for run in runs] == [("t:a", "one"), ("t:b", "two")]


def test_an_object_is_said_as_its_text() -> None:
    told = {"ai.operationId": "ai.generateObject.doGenerate", "ai.response.object": '{"a": 1}'}
    root = generate(told={"ai.operationId": "ai.generateObject"})
    assert run_of(root, step("s1", told=told)).joined_text == '{"a": 1}'


def test_a_run_whose_steps_were_lost_is_told_by_its_outermost_span() -> None:
    assert run_of(generate(told={"ai.response.text": "hello"})).joined_text == "hello"


def test_a_run_tells_its_agent_conversation_and_tags() -> None:
    told = {"ai.telemetry.metadata.sessionId": "s-4", "ai.telemetry.metadata.beta": True}
    run = run_of(generate(told=told), step("s1", text="hi", told={"ai.model.id": "m"}))
    assert (run.agent_id, run.conversation_id, run.model) == ("desk", "s-4", "m")
    assert run.tags == {"sessionId": "s-4", "beta": "true"}
    nameless = generate(told={"ai.telemetry.functionId": ""}, resource={"service.name": "web"})
    assert run_of(nameless, step("s1", text="hi")).agent_id == "web"


def test_a_run_that_failed_may_have_said_nothing() -> None:
    run = run_of(generate(error="model away"), step("s1", error="model away"))
    assert (run.error, run.output) == ("model away", ())


def test_what_was_called_is_told_without_what_was_said() -> None:
    run = run_of(generate(), step("s1", told=ASKS), tool("t1", at=1, error="full"), step("s2"))
    assert (run.has_content, run.called_tools, run.has_failed) == (False, ("book",), True)
    called_none = {"ai.response.finishReason": "stop"}
    run = run_of(generate(), step("s1", told=called_none))
    assert (run.has_content, run.called_tools) == (False, ())


@pytest.mark.parametrize(
    ("spans", "reason", "where"),
    [
        ((generate(), step("s1")), "no_content", "ai.response"),
        ((generate(), step("s1", told=ASKS)), "no_content", "ai.response"),
        (
            (generate(), step("s1", told={"ai.response.toolCalls": '[{"toolCallId": "c'})),
            "truncated_json",
            "ai.response.toolCalls",
        ),
        ((generate(), step("s1", {"toolName": "book"})), "missing_field", "[0].toolCallId"),
        ((step("s1", text="hi"),), "missing_field", "agent_id"),
    ],
)
def test_what_hides_or_cuts_what_was_said_is_refused(
    spans: tuple[Span, ...], reason: str, where: str
) -> None:
    assert refusal(*spans) == (reason, where)


def test_a_prompt_that_is_cut_off_leaves_the_input_out() -> None:
    cut = {"ai.prompt.messages": '[{"role": "us'}
    assert run_of(generate(), step("s1", text="hi", told=cut)).input is None


@given(st.lists(_SPANS, max_size=5, unique_by=lambda each: each.span_id))
def test_no_spans_raise(spans: list[Span]) -> None:
    assert isinstance(read_trace(spans), Sequence | Failure)

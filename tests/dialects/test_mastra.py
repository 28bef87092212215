"""How Mastra's exported spans are read, beyond what the golden cases show."""

from typing import Any

import pytest

from live_scoring.dialects.mastra import recognises
from live_scoring.telemetry.span import MASTRA, Span
from tests.dialects.reading import refusal, run_of, runs_of
from tests.telemetry.spans import span

CALLED = {"toolCallId": "c1", "toolName": "stock", "args": {"name": "Dal"}}


def exported(span_id: str, kind: str, parent_id: str | None, **fields: Any) -> Span:
    """A span of the kind; what is no field of a span is of the exported object."""
    places = {name: fields.pop(name) for name in ("at", "end_ns", "error") if name in fields}
    told = {"id": span_id, "type": kind} | fields
    return span(span_id, parent_id, attributes=told, scope=MASTRA, **places)


def agent(span_id: str = "run", parent_id: str | None = None, **fields: Any) -> Span:
    told = {"entityId": "menu", "output": {"text": "Dal."}, "input": "Lunch?"}
    return exported(span_id, "agent_run", parent_id, **told | fields)


def model(*calls: dict[str, Any], **fields: Any) -> Span:
    output = {"text": "Dal.", "toolCalls": list(calls)}
    return exported("model", "model_generation", "run", **{"output": output} | fields)


def tool(**fields: Any) -> Span:
    told = {"entityId": "stock", "attributes": {"toolCallId": "c1"}, "input": {"name": "Dal"}}
    return exported("tool", "tool_call", fields.pop("parent_id", "run"), **told | fields)


def test_spans_of_agents_models_and_tools_are_recognised() -> None:
    assert all(map(recognises, [agent(), model(), tool()]))
    assert not recognises(exported("s", "processor_run", "run"))
    assert not recognises(span("s", attributes={"type": "agent_run"}))


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ({"output": {"count": 3}}, ("result", False, {"count": 3})),
        ({"output": None}, ("result", False, None)),
        ({"error": "503"}, ("result", True, {"error": "503"})),
        (
            {"attributes": {"toolCallId": "c1", "success": False}, "output": {"message": "bad"}},
            ("result", True, {"message": "bad"}),
        ),
        ({"end_ns": None}, ("call", False, None)),
    ],
)
def test_a_tool_ends_as_its_span_tells(
    told: dict[str, Any], outcome: tuple[str, bool, Any]
) -> None:
    for spans in ([agent(), model(CALLED)], [agent()]):
        (invocation,) = run_of(*spans, tool(at=1, **told)).invocations
        assert (invocation.state, invocation.is_error, invocation.result) == outcome
        assert (invocation.name, invocation.args) == ("stock", {"name": "Dal"})


def test_a_call_without_a_span_is_unfinished() -> None:
    (invocation,) = run_of(agent(), model(CALLED)).invocations
    assert (invocation.state, invocation.args) == ("call", {"name": "Dal"})


def test_a_call_is_told_through_the_envelope_of_a_stream() -> None:
    (invocation,) = run_of(agent(), model({"type": "tool-call", "payload": CALLED})).invocations
    assert invocation.name == "stock"


def test_calls_that_a_long_list_leaves_out_are_told_by_their_tools() -> None:
    cut = model(output={"text": "Dal.", "toolCalls": ["[…1 more items]"]})
    (invocation,) = run_of(agent(), cut, tool(at=1, output=3)).invocations
    assert (invocation.name, invocation.result) == ("stock", 3)


def test_a_tool_without_an_id_is_joined_by_its_name() -> None:
    run = run_of(agent(), model(CALLED), tool(at=1, attributes={}, output=3))
    assert [(i.id, i.state, i.result) for i in run.invocations] == [("c1", "result", 3)]


def test_an_agent_that_waits_for_approval_has_an_unfinished_call() -> None:
    waiting = {"status": "suspended", "toolName": "stock", "toolCallId": "c1"}
    text = {"attributes": {"chunkType": "text"}, "output": {"text": "I will look."}}
    asking = {"attributes": {"chunkType": "tool-call-approval"}, "output": CALLED}
    run = run_of(
        agent(output=waiting),
        exported("chunk-1", "model_chunk", "run", at=1, **text),
        exported("chunk-2", "model_chunk", "run", at=2, end_ns=None, **asking),
    )
    assert run.joined_text == "I will look."
    assert [(i.id, i.state, i.args) for i in run.invocations] == [("c1", "call", {"name": "Dal"})]


def test_a_call_that_was_approved_while_the_agent_ran_is_one_call() -> None:
    asking = {"attributes": {"chunkType": "tool-call-approval"}, "output": CALLED}
    asked = exported("chunk", "model_chunk", "run", at=1, **asking)
    assert [i.state for i in run_of(agent(), asked).invocations] == ["call"]
    run = run_of(agent(), asked, tool(at=2, output=3))
    assert [(i.state, i.result) for i in run.invocations] == [("result", 3)]


def test_a_tool_that_was_suspended_has_not_finished_though_its_span_has() -> None:
    waiting = {"status": "suspended", "toolName": "stock", "toolCallId": "c1"}
    (invocation,) = run_of(agent(output=waiting), tool(at=1)).invocations
    assert invocation.state == "call"


def test_a_run_taken_up_again_is_one_of_its_own() -> None:
    first = agent("first", metadata={"runId": "r"})
    second = agent("second", metadata={"runId": "r", "resumed": True}, at=5)
    assert [run.run_id for run in runs_of(first, second)] == ["r", "r:second"]


def test_an_agent_used_as_a_tool_is_a_tool() -> None:
    inner = agent("inner", "tool", output={"text": "inner"}, at=2)
    run = run_of(agent(), tool(at=1, output={"text": "inner"}), inner)
    assert (run.joined_text, run.called_tools) == ("Dal.", ("stock",))


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"text": "Dal."}, "Dal."),
        ({"object": {"dish": "Dal"}}, '{"dish":"Dal"}'),
        ({"tripwire": {"reason": "unsafe"}}, ""),
        ("Dal.", "Dal."),
    ],
)
def test_the_text_is_what_the_agent_returned(output: Any, text: str) -> None:
    assert run_of(agent(output=output)).joined_text == text


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("Lunch?", "Lunch?"),
        ([{"role": "user", "content": "Old?"}, {"role": "user", "content": "Lunch?"}], "Lunch?"),
        ({"messages": [{"role": "user", "content": "Lunch?"}]}, "Lunch?"),
        ([{"role": "user", "content": [{"type": "text", "text": "Lunch?"}]}], "Lunch?"),
        ({"role": "user", "content": {"parts": [{"type": "text", "text": "Lunch?"}]}}, "Lunch?"),
        ([{"role": "user", "content": "Old?"}, "[…3 more items]"], "as it is"),
        ({"resumeData": {"approved": True}}, {"resumeData": {"approved": True}}),
        (None, None),
    ],
)
def test_the_input_is_the_text_of_the_last_user_message(given: Any, asked: Any) -> None:
    assert run_of(agent(input=given)).input == (given if asked == "as it is" else asked)


def test_a_run_tells_its_ids_model_tokens_and_tags() -> None:
    told = {"runId": "r", "threadId": "th-3", "environment": "prod", "plan": [1]}
    usage = {"inputTokens": 6, "outputTokens": 10, "inputDetails": {"text": 6}}
    run = run_of(agent(metadata=told), model(attributes={"model": "m", "usage": usage}))
    assert (run.run_id, run.trace_id, run.agent_id) == ("r", "t", "menu")
    assert (run.conversation_id, run.model) == ("th-3", "m")
    assert (run.input_tokens, run.output_tokens) == (6, 10)
    assert run.tags == {"environment": "prod"}


def test_a_run_that_failed_may_have_said_nothing() -> None:
    run = run_of(agent(output=None, error="model away"))
    assert (run.error, run.joined_text) == ("model away", "")


def test_what_was_called_is_told_without_what_was_said() -> None:
    run = run_of(agent(output=None), tool(at=1, error="503"))
    assert (run.has_content, run.called_tools, run.has_failed) == (False, ("stock",), True)


@pytest.mark.parametrize(
    ("spans", "reason", "where"),
    [
        ((agent(output=None),), "no_content", "agent_run"),
        ((agent(output={"text": "Da…[truncated]"}),), "truncated_json", "agent_run"),
        ((agent(entityId=None),), "missing_field", "agent_id"),
        ((agent(output={"text": 17}),), "bad_field", "output.text"),
        (
            (agent(), model({"toolName": "stock"})),
            "missing_field",
            "output.toolCalls[0].toolCallId",
        ),
    ],
)
def test_what_hides_what_was_said_is_refused(
    spans: tuple[Span, ...], reason: str, where: str
) -> None:
    assert refusal(*spans) == (reason, where)


def test_a_trace_without_an_agent_has_no_run() -> None:
    assert runs_of(model(CALLED), tool()) == []

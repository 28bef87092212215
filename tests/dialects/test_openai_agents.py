"""How traces of the OpenAI Agents SDK are read, beyond what the golden cases show."""

from typing import Any

import pytest

from live_scoring.dialects.openai_agents import recognises
from live_scoring.telemetry.span import OPENAI_AGENTS, Span
from tests.dialects.reading import refusal, run_of, runs_of
from tests.telemetry.spans import span

TASK = {"type": "custom", "name": "task", "data": {"sdk_span_type": "task"}}
CALL = {"id": "c1", "function": {"name": "book", "arguments": '{"day": "Monday"}'}}
ASKED = {"role": "user", "content": "Book"}
CUT = {"truncated": True, "original_type": "list", "preview": "<list len=9 truncated>"}
SAID = {"role": "assistant", "content": "Booked."}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}


def exported(span_id: str, parent_id: str | None, told: dict[str, Any], /, **fields: Any) -> Span:
    attributes = {"span_data": told} | fields.pop("attributes", {})
    name = str(told.get("name"))
    return span(span_id, parent_id, name=name, attributes=attributes, scope=OPENAI_AGENTS, **fields)


def agent(span_id: str = "run", parent_id: str | None = None, **fields: Any) -> Span:
    told = {"type": "agent", "name": fields.pop("name", "desk")}
    return exported(span_id, parent_id, told, **fields)


def model(span_id: str, *output: Any, **fields: Any) -> Span:
    told = {"type": "generation", "input": fields.pop("given", [ASKED]), "output": list(output)}
    return exported(span_id, fields.pop("parent_id", "run"), told, **fields)


def tool(span_id: str, output: Any = None, **fields: Any) -> Span:
    told = {"type": "function", "name": "book", "input": '{"day": "Monday"}', "output": output}
    return exported(span_id, fields.pop("parent_id", "run"), told, **fields)


def handoff(parent_id: str, to_agent: str, **fields: Any) -> Span:
    told = {"type": "handoff", "from_agent": "desk", "to_agent": to_agent}
    return exported(f"to-{to_agent}", parent_id, told, **fields)


def trace(**told: Any) -> Span:
    return span("trace", attributes={"object": "trace"} | told, scope=OPENAI_AGENTS, is_log=True)


def test_what_tells_of_the_trace_its_agents_models_and_tools_is_recognised() -> None:
    assert all(map(recognises, [trace(), agent(), model("m"), tool("t"), handoff("a", "b")]))
    assert not recognises(exported("s", None, {"type": "guardrail"}))
    assert not recognises(exported("s", None, {"type": "custom", "data": "task"}))
    assert not recognises(span("s", attributes={"span_data": {"type": "agent"}}))


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ({"output": '{"desk": 4}'}, ("result", False, {"desk": 4})),
        ({"output": "desk 4"}, ("result", False, "desk 4")),
        ({"output": None}, ("call", False, None)),
        ({"error": "failed"}, ("result", True, {"error": "failed"})),
        (
            {
                "error": "Error running tool",
                "attributes": {"error": {"data": {"error": "no desks left"}}},
            },
            ("result", True, {"error": "no desks left"}),
        ),
    ],
)
def test_a_tool_ends_as_its_span_tells(
    told: dict[str, Any], outcome: tuple[str, bool, Any]
) -> None:
    (invocation,) = run_of(agent(), model("m", CALLING), tool("t", at=1, **told)).invocations
    assert (invocation.state, invocation.is_error, invocation.result) == outcome
    assert (invocation.id, invocation.args) == ("c1", {"day": "Monday"})


def test_calls_of_one_name_are_told_apart_by_their_arguments() -> None:
    other = {"id": "c2", "function": {"name": "book", "arguments": '{"day": "Friday"}'}}
    both = CALLING | {"tool_calls": [other, CALL]}
    (friday, monday) = run_of(agent(), model("m", both), tool("t", "4", at=1)).invocations
    assert (friday.state, monday.state, monday.result) == ("call", "result", "4")


def test_a_tool_without_a_span_ends_as_the_next_model_is_told() -> None:
    answer = {"role": "tool", "tool_call_id": "c1", "content": '{"desk": 4}'}
    steps = model("m1", CALLING), model("m2", SAID, at=2, given=[ASKED, CALLING, answer])
    (invocation,) = run_of(agent(), *steps).invocations
    assert (invocation.state, invocation.result) == ("result", {"desk": 4})


def test_earlier_turns_are_history() -> None:
    given = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}, ASKED]
    run = run_of(agent(), model("m", SAID, given=given))
    assert (run.input, run.joined_text) == ("Book", "Booked.")


def test_an_input_that_is_cut_off_is_left_out() -> None:
    run = run_of(agent(), model("m", SAID, given=CUT))
    assert (run.input, run.joined_text) == (None, "Booked.")


def test_a_refusal_is_said() -> None:
    refused = {"role": "assistant", "content": None, "refusal": "I may not."}
    assert run_of(agent(), model("m", refused)).joined_text == "I may not."


@pytest.mark.parametrize("name", ["generation", "response"])
def test_a_response_tells_what_was_said_where_it_is_exported(name: str) -> None:
    content = [{"type": "output_text", "text": "Booked."}]
    item = {"type": "message", "role": "assistant", "content": content}
    response = {"object": "response", "output": [item], "model": "m"}
    told = {"output": [response], "model": "m"} if name == "generation" else {"response": response}
    spoken = exported("m", "run", {"type": name, "input": [ASKED]} | told)
    run = run_of(agent(), spoken)
    assert (run.input, run.joined_text, run.model) == ("Book", "Booked.", "m")


def test_a_handoff_joins_the_agents_into_one_run() -> None:
    to_bill = {"id": "c1", "function": {"name": "transfer_to_bill_1", "arguments": "{}"}}
    run = run_of(
        agent("a"),
        model("m1", CALLING | {"tool_calls": [to_bill]}, parent_id="a"),
        handoff("a", "Bill.1", at=2),
        agent("b", at=3, name="Bill.1", error="Max turns exceeded"),
        handoff("b", "Ann", at=4),
        agent("c", at=5, name="Ann"),
        model("m2", SAID, at=6, parent_id="c"),
    )
    assert (run.agent_id, run.run_id, run.joined_text) == ("desk", "t", "Booked.")
    assert (run.end_ms, run.error) == (1_793_534_401_005, "Max turns exceeded")
    assert [(i.state, i.result) for i in run.invocations] == [("result", {"assistant": "Bill.1"})]


@pytest.mark.parametrize("told", [TASK, {"type": "agent", "name": "desk"}])
def test_two_calls_of_the_runner_in_one_trace_are_two_runs(told: dict[str, Any]) -> None:
    runs = runs_of(
        exported("a", None, told),
        model("m1", SAID, parent_id="a"),
        exported("b", None, told, at=2),
        model("m2", SAID, at=3, parent_id="b"),
        trace(workflow_name="Front"),
    )
    assert [run.run_id for run in runs] == ["t:a", "t:b"]


def test_a_task_goes_by_its_first_agent_and_its_failure() -> None:
    spans = exported("task", None, TASK), agent("run", "task", at=1, error="Max turns exceeded")
    run = run_of(*spans, model("m", SAID, at=2))
    assert (run.agent_id, run.error) == ("desk", "Max turns exceeded")


def test_the_trace_tells_the_conversation_the_tags_and_an_agent_for_want_of_another() -> None:
    told = trace(workflow_name="Front", group_id="th", metadata={"environment": "prod"})
    run = run_of(told, model("m", SAID))
    assert (run.agent_id, run.conversation_id) == ("Front", "th")
    assert run.tags == {"environment": "prod"}


def test_a_run_that_failed_may_have_said_nothing() -> None:
    failed = exported("m", "run", {"type": "response"}, error="Error getting response")
    run = run_of(agent(error="Error in agent run"), failed)
    assert (run.error, run.output, run.has_content) == ("Error in agent run", (), True)


def test_a_handoff_to_nobody_joins_nothing() -> None:
    told = {"type": "handoff", "to_agent": ["Ann"]}
    run = run_of(agent(), exported("h", "run", told, at=1), model("m", SAID, at=2))
    assert run.joined_text == "Booked."


def test_what_was_called_is_told_without_what_was_said() -> None:
    hidden = [exported(f"m{at}", "run", {"type": "response"}, at=at) for at in (1, 5)]
    run = run_of(agent(), *hidden, tool("t1", "4", at=2), tool("t2", at=3), tool("t3", "5", at=4))
    assert not run.has_content
    assert not run_of(agent(), tool("t", error="failed")).has_content
    assert [(i.state, i.result) for i in run.invocations] == [
        ("result", "4"),
        ("call", None),
        ("result", "5"),
    ]


@pytest.mark.parametrize(
    ("spans", "reason", "where"),
    [
        ((agent(), exported("m", "run", {"type": "generation"})), "no_content", "span_data"),
        ((agent(), exported("m", "run", {"type": "response"})), "no_content", "span_data"),
        (
            (agent(), exported("m", "run", {"type": "generation", "output": CUT})),
            "truncated_json",
            "span_data.output",
        ),
        ((model("m", SAID),), "missing_field", "agent_id"),
        ((agent(), model("m", {"role": "robot"})), "bad_field", "role"),
    ],
)
def test_what_hides_what_was_said_is_refused(
    spans: tuple[Span, ...], reason: str, where: str
) -> None:
    assert refusal(*spans) == (reason, where)

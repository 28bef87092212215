"""OpenInference: what its spans tell of runs."""

import json
from dataclasses import replace
from typing import Any

import pytest

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.dialects import read_trace
from live_scoring.telemetry.span import Span
from tests.telemetry.spans import span

KIND = "openinference.span.kind"
SERVICE = {"service.name": "desk"}


def agent(name: str = "agent", parent: str | None = None, **told: Any) -> Span:
    return span(name, parent, attributes={KIND: "AGENT"} | told, resource=SERVICE)


def chain(name: str, parent: str | None = None, **told: Any) -> Span:
    return span(name, parent, attributes={KIND: "CHAIN"} | told, resource=SERVICE)


def model(
    name: str, given: list[Any], out: list[Any], parent: str | None = "agent", at: int = 1
) -> Span:
    told: dict[str, Any] = {KIND: "LLM", "llm.model_name": "m", "llm.token_count.prompt": 5}
    for side, messages in (("input", given), ("output", out)):
        for number, message in enumerate(messages):
            told |= {f"llm.{side}_messages.{number}.message.{k}": v for k, v in message.items()}
    return span(name, parent, at=at, attributes=told, resource=SERVICE)


def tool(call_id: str | None, parent: str = "agent", at: int = 2, **fields: Any) -> Span:
    told = {KIND: "TOOL", "tool.name": "look"} | ({"tool.id": call_id} if call_id else {})
    return span(
        f"tool-{call_id}", parent, at=at, attributes=told | fields.pop("told", {}), **fields
    )


ASKED = {"role": "user", "content": "Why?"}
DONE = {"role": "assistant", "content": "Done."}


def calling(call_id: str, arguments: Any = '{"n": 1}') -> dict[str, Any]:
    return {
        "role": "assistant",
        "tool_calls.0.tool_call.id": call_id,
        "tool_calls.0.tool_call.function.name": "look",
        "tool_calls.0.tool_call.function.arguments": arguments,
    }


def answering(call_id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def runs_of(*spans: Span) -> list[AgentRun]:
    runs = read_trace(spans)
    assert not isinstance(runs, Failure), runs
    return list(runs)


def run_of(*spans: Span) -> AgentRun:
    (run,) = runs_of(*spans)
    return run


def story(run: AgentRun) -> list[Any]:
    told: list[Any] = []
    for message in run.output:
        told += [message.text] if message.text else []
        told += [(i.id, i.state, i.is_error) for i in message.tool_invocations]
    return told


def test_cumulative_inputs_tell_nothing_twice_and_history_is_left_out() -> None:
    old = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]
    given = [*old, ASKED, calling("a"), answering("a", '{"sky": "sunny"}')]
    run = run_of(
        agent(**{"session.id": "s"}),
        model("1", [*old, ASKED], [calling("a")]),
        model("2", given, [DONE], at=3),
    )
    assert (run.input, story(run)) == ("Why?", [("a", "result", False), "Done."])
    assert (run.invocations[0].args, run.invocations[0].result) == ({"n": 1}, {"sky": "sunny"})
    assert (run.conversation_id, run.model, run.input_tokens) == ("s", "m", 10)


@pytest.mark.parametrize("call_id", ["a", None])
def test_a_failed_tool_is_joined_by_id_or_name(call_id: str | None) -> None:
    run = run_of(agent(), model("1", [ASKED], [calling("a")]), tool(call_id, error="timed out"))
    assert story(run) == [("a", "result", True)]
    assert run.invocations[0].result == {"error": {"message": "timed out"}}


def test_a_tool_of_langchain_tells_its_result_in_a_whole_message() -> None:
    message = {"content": "no station", "tool_call_id": "a", "status": "error"}
    for output in ({"type": "tool", "data": message}, {"type": "tool"} | message):
        ran = tool(None, told={"output.value": json.dumps(output)})
        run = run_of(agent(), model("1", [ASKED], [calling("a")]), ran)
        assert story(run) == [("a", "result", True)]
        assert run.invocations[0].result == {"error": "no station"}


def test_a_call_that_no_tool_ran_for_never_finished() -> None:
    assert story(run_of(agent(), model("1", [ASKED], [calling("a", "{")]))) == [
        ("a", "call", False)
    ]
    assert run_of(agent(), model("1", [ASKED], [calling("a", "{")])).invocations[0].args == "{"


@pytest.mark.parametrize("prefix", ["message_content", "message_content.tool_use"])
def test_texts_and_calls_may_stand_among_the_contents(prefix: str) -> None:
    said = {
        "role": "assistant",
        "contents.0.message_content.type": "text",
        "contents.0.message_content.text": "Let me ",
        "contents.1.message_content.type": "text",
        "contents.1.message_content.text": "look.",
        "contents.10.message_content.type": "tool_use",
        f"contents.10.{prefix}.id": "a",
        f"contents.10.{prefix}.name": "look",
        f"contents.10.{prefix}.input": '{"n": 1}',
    }
    answer = {
        "role": "user",
        "contents.0.message_content.type": "tool_result",
        "contents.0.message_content.tool_use_id": "a",
        "contents.0.message_content.content": "found",
    }
    run = run_of(
        agent(), model("1", [ASKED], [said]), model("2", [ASKED, said, answer], [DONE], at=3)
    )
    assert (run.input, story(run)) == ("Why?", ["Let me look.", ("a", "result", False), "Done."])
    assert (run.invocations[0].args, run.invocations[0].result) == ({"n": 1}, "found")


def test_an_agent_goes_by_its_name_then_by_its_span_then_by_its_service() -> None:
    spoken = model("1", [ASKED], [DONE], "lost")
    assert run_of(agent("span", **{"agent.name": "named"}), spoken).agent_id == "named"
    assert run_of(agent("span"), spoken).agent_id == "span"
    metadata = {"metadata": json.dumps({"lc_agent_name": "chained"})}
    assert run_of(chain("graph", **metadata), spoken).agent_id == "chained"
    assert run_of(chain("graph"), spoken).agent_id == "desk"
    assert run_of(spoken).agent_id == "desk"


def test_agents_in_one_chain_are_runs_and_without_agents_the_chain_is() -> None:
    def two(first: Span, second: Span) -> list[AgentRun]:
        spoken = [model(name, [ASKED], [DONE], name[1:]) for name in ("1one", "2two")]
        return runs_of(chain("flow"), first, second, *spoken)

    assert [run.run_id for run in two(agent("one", "flow"), agent("two", "flow"))] == [
        "t:one",
        "t:two",
    ]
    assert [run.run_id for run in two(chain("one", "flow"), chain("two", "flow"))] == ["t"]


def test_a_workflow_of_the_agents_sdk_is_no_agent() -> None:
    scope = "openinference.instrumentation.openai_agents"
    workflow = replace(agent("Agent workflow"), scope=scope)
    named = {"agent.name": "desk"}
    inner = replace(agent("desk", "Agent workflow", **named), scope=scope)
    run = run_of(workflow, inner, model("1", [ASKED], [DONE], "desk"))
    assert run.agent_id == "desk"


def test_without_spans_of_models_what_the_agent_said_in_the_end_is_known() -> None:
    told = {"input.value": "Why?", "output.value": "Done.", "output.mime_type": "text/plain"}
    run = run_of(agent(**told), tool("a"))
    assert (run.input, story(run)) == ("Why?", ["Done.", ("a", "result", False)])


@pytest.mark.parametrize(
    "spans",
    [
        [agent(), model("1", [], [])],
        [agent(**{"output.value": "__REDACTED__"})],
        [agent(**{"output.value": "{}", "output.mime_type": "application/json"})],
        [agent(), model("1", [{"role": "user", "content": "__REDACTED__"}], [])],
    ],
)
def test_a_run_whose_words_are_hidden_is_refused(spans: list[Span]) -> None:
    failure = read_trace(spans)
    assert isinstance(failure, Failure)
    assert failure.reason == "no_content"


def test_tools_are_known_by_their_spans_where_words_are_hidden() -> None:
    hidden = {"role": "assistant", "content": "__REDACTED__"}
    for spans in ([tool("a")], [model("1", [ASKED], [hidden]), tool("a")]):
        run = run_of(agent(), *spans)
        assert (run.has_content, run.spaced_text.strip(), run.called_tools) == (
            False,
            "",
            ("look",),
        )


def test_hidden_words_without_calls_called_no_tool() -> None:
    run = run_of(agent(), model("1", [ASKED], [DONE | {"content": "__REDACTED__"}]))
    assert (run.has_content, run.called_tools) == (False, ())


def test_keys_that_contradict_one_another_or_go_too_deep_are_left_out() -> None:
    odd = {"content.0": "x", "role.0": "x", ".".join("x" * 20): "x", "tool_calls.x": "x"}
    assert story(run_of(agent(), model("1", [ASKED | odd], [DONE | odd]))) == ["Done."]

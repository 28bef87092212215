"""Where messages stand, in every version of the GenAI conventions, and how they are written."""

import json
from typing import Any

import pytest

from live_scoring.dialects import is_telling
from live_scoring.telemetry.span import Span, SpanEvent
from tests.dialects.genai.spans import (
    ASKED,
    DETAILS,
    agent,
    answered,
    call,
    chat,
    log,
    refusal_of,
    response,
    run_of,
    runs_of,
    said,
    story,
    text,
    tool,
    user,
)
from tests.telemetry.spans import span


def test_results_may_come_in_a_message_of_the_user() -> None:
    results = user({"type": "tool_call_response", "id": "a", "result": '{"sky": "sunny"}'})
    run = run_of(
        agent(), chat("1", [ASKED, said(call("a")), results], [said(text("Sunny."))], at=1)
    )
    assert run.input == "Why?"
    assert run.invocations[0].result == {"sky": "sunny"}


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ({"city": "Porto"}, {"city": "Porto"}),
        ('{"city": "Porto"}', {"city": "Porto"}),
        ('{"city": ', '{"city": '),
        (None, None),
    ],
)
def test_arguments_may_be_an_object_or_a_text(arguments: Any, args: Any) -> None:
    run = run_of(agent(), chat("1", [ASKED], [said(call("a", arguments=arguments))]))
    assert run.invocations[0].args == args


def test_a_call_id_may_be_a_list_or_a_number() -> None:
    run = run_of(
        agent(),
        chat("1", [ASKED], [said(call(["a"]), call(7))], at=1),
        tool(["a"], at=2, told={"gen_ai.tool.call.result": "fine"}),
        tool("7", at=3, told={"error.type": "Timeout"}),
    )
    assert story(run) == [("a", "result", False), ("7", "result", True)]


def test_messages_of_the_agents_span_are_read_where_no_models_are() -> None:
    told = {"pydantic_ai.all_messages": json.dumps([ASKED, said(text("Done."))])}
    run = run_of(agent(told=told), chat("1", None, None, at=1))
    assert (run.input, story(run)) == ("Why?", ["Done."])


def test_messages_may_be_an_event_of_the_span() -> None:
    told = {"gen_ai.input.messages": [ASKED], "gen_ai.output.messages": [said(text("Done."))]}
    run = run_of(agent(), chat("1", None, None, events=(SpanEvent(DETAILS, 0, told),)))
    assert (run.input, story(run)) == ("Why?", ["Done."])


def test_a_log_record_adds_to_its_span_what_that_leaves_out() -> None:
    told = {"gen_ai.input.messages": [ASKED], "gen_ai.output.messages": [said(text("Done."))]}
    run = run_of(agent(), chat("1", None, None, at=1), log("1", DETAILS, told, at=2))
    assert (run.agent_id, story(run)) == ("agent", ["Done."])
    both = run_of(agent(), chat("1", [ASKED], [said(text("Done."))]), log("1", DETAILS, told))
    assert story(both) == ["Done."]


def test_log_records_alone_are_a_run_of_unknown_length() -> None:
    first = {"gen_ai.input.messages": [ASKED], "gen_ai.output.messages": [said(call("a"))]}
    given = [ASKED, said(call("a")), answered(response("a", 1))]
    last = {"gen_ai.input.messages": given, "gen_ai.output.messages": [said(text("Done."))]}
    run = run_of(log("1", DETAILS, first, at=1), log("2", DETAILS, last, at=2))
    assert (run.run_id, run.agent_id, run.duration_ms) == ("t", "desk", None)
    assert story(run) == [("a", "result", False), "Done."]


def test_a_log_record_of_an_evaluation_is_no_run() -> None:
    evaluation = log("1", "gen_ai.evaluation.result", {"gen_ai.evaluation.name": "polite"})
    assert not is_telling(evaluation)
    assert runs_of(evaluation) == []
    assert story(run_of(chat("1", [ASKED], [said(text("Done."))]), evaluation)) == ["Done."]


def older_messages() -> list[tuple[str, dict[str, Any]]]:
    function = {"name": "look", "arguments": '{"n": 1}'}
    calls = [{"id": "a", "type": "function", "function": function}]
    return [
        ("gen_ai.system.message", {"content": "Be kind."}),
        ("gen_ai.user.message", {"content": "Why?"}),
        ("gen_ai.assistant.message", {"tool_calls": calls}),
        ("gen_ai.tool.message", {"id": "a", "content": "found"}),
        ("gen_ai.choice", {"index": 0, "message": {"role": "assistant", "content": "Done."}}),
    ]


def by_events() -> list[Span]:
    events = tuple(SpanEvent(name, 0, told) for name, told in older_messages())
    return [chat("1", None, None, None, events=events)]


def by_logs() -> list[Span]:
    return [log("1", name, told, at) for at, (name, told) in enumerate(older_messages())]


def by_list() -> list[Span]:
    events = json.dumps([{"event.name": name} | told for name, told in older_messages()])
    return [chat("1", None, None, None, told={"events": events})]


def by_index() -> list[Span]:
    told = {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "Why?",
        "gen_ai.prompt.1.role": "assistant",
        "gen_ai.prompt.1.tool_calls.0.id": "a",
        "gen_ai.prompt.1.tool_calls.0.name": "look",
        "gen_ai.prompt.1.tool_calls.0.arguments": '{"n": 1}',
        "gen_ai.prompt.2.role": "tool",
        "gen_ai.prompt.2.tool_call_id": "a",
        "gen_ai.prompt.2.content": "found",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "Done.",
    }
    return [chat("1", None, None, None, told=told)]


@pytest.mark.parametrize("write", [by_events, by_logs, by_list, by_index])
def test_older_versions_wrote_each_message_in_a_place_of_its_own(write: Any) -> None:
    run = run_of(*write())
    assert (run.agent_id, run.input) == ("desk", "Why?")
    assert story(run) == [("a", "result", False), "Done."]
    (invocation,) = run.invocations
    assert (invocation.name, invocation.args, invocation.result) == ("look", {"n": 1}, "found")


def test_spans_that_name_no_operation_are_known_by_what_they_tell() -> None:
    whole = [chat("1", [ASKED], [said(call("a"))], at=1), tool("a", at=2), agent()]
    marks = {"gen_ai.request.model": "m"}
    told = [{k: v for k, v in s.attributes.items() if k != "gen_ai.operation.name"} for s in whole]
    bare = [
        span("1", "agent", at=1, attributes=told[0] | marks),
        span("tool-a", "agent", at=2, attributes=told[1]),
        span("agent", attributes=told[2]),
    ]
    assert runs_of(*bare)[0].output == runs_of(*whole)[0].output


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        (json.dumps([ASKED])[:-4], "truncated_json"),
        ("hello", "not_json"),
        ("[" * 101 + "]" * 101, "too_deep"),
        ({"role": "user"}, "bad_field"),
        (["hello"], "bad_field"),
        ([{"role": "assistant"}], "no_content"),
        ([said({"type": "text"})], "no_content"),
        ([said({"type": "tool_search_call", "name": "look"})], "bad_field"),
    ],
)
def test_messages_that_cannot_be_read_are_refused(messages: Any, reason: str) -> None:
    failure = refusal_of(agent(), chat("1", [ASKED], messages))
    assert failure.reason == reason
    assert failure.detail.startswith("gen_ai.output.messages")


def test_parts_that_are_neither_text_nor_tool_are_left_out() -> None:
    parts = [{"type": "reasoning", "content": "hm"}, text("Do"), {"type": "blob"}, text("ne.")]
    assert story(run_of(agent(), chat("1", [ASKED], [said(*parts)]))) == ["Done."]


def test_an_event_for_what_was_given_and_one_for_what_was_said_are_read_together() -> None:
    given = SpanEvent(DETAILS, 1, {"gen_ai.input.messages": json.dumps([ASKED])})
    out = SpanEvent(DETAILS, 2, {"gen_ai.output.messages": json.dumps([said(call("a"))])})
    told = {"gen_ai.operation.name": "chat"}
    run = run_of(agent(), span("1", "agent", attributes=told, events=(given, out)))
    assert run.input == "Why?"
    assert [i.id for i in run.invocations] == ["a"]

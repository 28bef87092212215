"""What was said and called in a run, from spans of models that repeat it and spans of tools."""

from typing import Any

import pytest

from live_scoring.telemetry.span import SpanEvent
from tests.dialects.genai.spans import (
    ASKED,
    agent,
    answered,
    call,
    chat,
    response,
    run_of,
    said,
    story,
    text,
    tool,
    user,
)
from tests.telemetry.spans import span


def test_cumulative_inputs_tell_nothing_twice() -> None:
    first, second = said(call("a")), said(text("More."), call("b"))
    given = [ASKED, first, answered(response("a", 1))]
    later = [*given, second, answered(response("b", 2))]
    run = run_of(
        agent(),
        chat("1", [ASKED], [first], at=1),
        chat("2", given, [second], at=2),
        chat("3", later, [said(text("Done."))], at=3),
    )
    assert run.input == "Why?"
    assert story(run) == [
        ("a", "result", False), "More.", ("b", "result", False), "Done.",
    ]  # fmt: skip


def test_the_same_words_said_twice_are_two() -> None:
    given = [ASKED, said(text("Wait."), call("a")), answered(response("a", 1))]
    run = run_of(
        agent(),
        chat("1", [ASKED], [given[1]], at=1),
        chat("2", given, [said(text("Wait."))], at=2),
    )
    assert story(run) == ["Wait.", ("a", "result", False), "Wait."]


def test_what_a_lost_span_said_is_read_from_what_the_next_was_given() -> None:
    given = [ASKED, said(text("Let me look."), call("a")), answered(response("a", 1))]
    run = run_of(agent(), chat("2", given, [said(text("Done."))], at=2))
    assert story(run) == ["Let me look.", ("a", "result", False), "Done."]


def test_earlier_turns_of_the_conversation_are_history() -> None:
    old = [user(text("Hi")), said(text("Hello!"), call("x")), answered(response("x", 0))]
    run = run_of(
        agent(),
        chat("1", [*old, ASKED], [said(call("a"))], at=1),
        chat("2", [*old, ASKED, said(call("a"))], [said(text("Done."))], at=2),
    )
    assert run.input == "Why?"
    assert story(run) == [("a", "call", False), "Done."]


def test_a_message_of_the_user_within_the_run_is_the_agents_own_doing() -> None:
    given = [ASKED, said(call("a")), answered(response("a", 1)), user(text("Answer in JSON."))]
    run = run_of(
        agent(),
        chat("1", [ASKED], [said(call("a"))], at=1),
        chat("2", given, [said(text("{}"))], at=2),
    )
    assert run.input == "Why?"
    assert story(run) == [("a", "result", False), "{}"]


def test_a_call_id_that_every_turn_uses_again_is_a_call_each_time() -> None:
    old = [user(text("Hi")), said(call("0")), answered(response("0", "old"))]
    first = [*old, ASKED]
    second = [*first, said(call("0")), answered(response("0", "new"))]
    run = run_of(
        agent(),
        chat("1", first, [said(call("0"))], at=1),
        chat("2", second, [said(text("Done."))], at=2),
    )
    assert [i.result for i in run.invocations] == ["new"]


@pytest.mark.parametrize(
    ("fields", "result"),
    [
        ({"error": "timed out"}, {"error": {"message": "timed out"}}),
        ({"error": ""}, {"error": "failed"}),
        ({"told": {"error.type": "Timeout"}}, {"error": {"type": "Timeout"}}),
        ({"error": "", "told": {"gen_ai.tool.call.result": "no"}}, {"error": "no"}),
        (
            {"events": (SpanEvent("exception", 0, {"exception.message": "no"}),)},
            {"error": {"message": "no"}},
        ),
    ],
)
def test_a_tool_has_failed_by_status_exception_or_type_of_error(
    fields: dict[str, Any], result: Any
) -> None:
    given = [ASKED, said(call("a")), answered(response("a", "Error: try again"))]
    run = run_of(
        agent(),
        chat("1", [ASKED], [given[1]], at=1),
        tool("a", at=2, **fields),
        chat("2", given, [said(text("Sorry."))], at=3),
    )
    assert story(run) == [("a", "result", True), "Sorry."]
    assert run.invocations[0].result == result


def test_without_its_span_no_failure_of_a_tool_can_be_seen() -> None:
    given = [ASKED, said(call("a")), answered(response("a", {"error": "no"}))]
    run = run_of(agent(), chat("1", given, [said(text("Sorry."))]))
    assert story(run) == [("a", "result", False), "Sorry."]


def test_a_call_without_response_and_span_never_finished() -> None:
    run = run_of(agent(), chat("1", [ASKED], [said(text("Wait."), call("a"))]))
    assert story(run) == ["Wait.", ("a", "call", False)]


def test_tools_without_ids_are_joined_by_name_in_order() -> None:
    run = run_of(
        agent(),
        chat("1", [ASKED], [said(call("a"), call("b"))], at=1),
        tool(None, at=2, told={"gen_ai.tool.call.result": 1}),
        span(
            "second",
            "agent",
            at=3,
            attributes={"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look"},
            error="no",
        ),
    )
    assert story(run) == [("a", "result", False), ("b", "result", True)]


def test_a_tool_that_no_message_tells_of_was_called_all_the_same() -> None:
    run = run_of(
        agent(),
        tool("a", at=1, told={"gen_ai.tool.call.arguments": '{"n": 1}'}),
        chat("1", [ASKED], [said(text("Done."))], at=2),
    )
    assert story(run) == [("a", "result", False), "Done."]
    assert run.invocations[0].args == {"n": 1}


def test_a_long_history_is_read_in_one_walk() -> None:
    given = [user(text(str(n))) if n % 2 else said(call(str(n))) for n in range(20_000)]
    assert story(run_of(agent(), chat("1", given, [said(text("Done."))]))) == ["Done."]

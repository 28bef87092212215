"""How LangChain's messages are read, beyond what the golden cases show."""

from collections.abc import Callable
from typing import Any

import pytest

from live_scoring.core.run import AgentRun
from tests.formats.chats import calls_of, is_seen, refusal_of, run_from

NAME = "langchain"
ASKED = {"type": "human", "content": "question"}
CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}

UNKNOWN = "messages[0].type: is none of LangChain's"

Dump = Callable[[dict[str, Any]], dict[str, Any]]


def run_of(*messages: dict[str, Any]) -> AgentRun:
    return run_from(list(messages), NAME)


def said(content: Any = "", **fields: Any) -> dict[str, Any]:
    return {"type": "ai", "content": content} | fields


def call(call_id: str | None = "c", args: Any = None) -> dict[str, Any]:
    return {"name": "look", "args": {} if args is None else args, "id": call_id}


def told(content: Any = "clear", **fields: Any) -> dict[str, Any]:
    return {"type": "tool", "content": content, "tool_call_id": "c", "status": "success"} | fields


def as_is(message: dict[str, Any]) -> dict[str, Any]:
    return message


def as_dict(message: dict[str, Any]) -> dict[str, Any]:
    return {"type": message["type"], "data": message}


def as_dumped(message: dict[str, Any]) -> dict[str, Any]:
    path = ["langchain", "schema", "messages", CLASSES[message["type"]]]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": message}


def as_dumped_without_type(message: dict[str, Any]) -> dict[str, Any]:
    kwargs = {key: value for key, value in message.items() if key != "type"}
    return as_dumped(message) | {"kwargs": kwargs}


@pytest.mark.parametrize("dump", [as_is, as_dict, as_dumped, as_dumped_without_type])
def test_each_way_of_dumping_tells_the_same_run(dump: Dump) -> None:
    messages = [ASKED, said(tool_calls=[call(args={"at": 1})]), told(), said("answer")]
    run = run_of(*map(dump, messages))
    assert (run.input, run.joined_text) == ("question", "answer")
    assert calls_of(run) == [("look", {"at": 1}, "result", False, "clear")]


def test_the_run_is_what_follows_the_last_message_of_a_human() -> None:
    used = {"usage_metadata": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}}
    old = [{"type": "human", "content": "old"}, said("old", tool_calls=[call()], **used)]
    run = run_of(*old, ASKED, said("a", **used), said("b", **used))
    assert (run.input, run.spaced_text, run.invocations) == ("question", "a b", ())
    assert (run.input_tokens, run.output_tokens, run.total_tokens) == (2, 4, 6)


def test_a_state_or_a_snapshot_of_one_is_a_run() -> None:
    state = {"messages": [ASKED, said("answer")]}
    snapshot = {"values": state, "next": [], "metadata": {"run_id": "r2", "thread_id": "t"}}
    run = run_from(snapshot, NAME)
    assert (run.run_id, run.conversation_id) == ("r2", "t")
    assert run.output == run_from(state, NAME).output


@pytest.mark.parametrize(
    ("fields", "is_error", "result"),
    [
        ({}, False, "clear"),
        ({"content": '{"sky": "clear"}'}, False, {"sky": "clear"}),
        ({"content": [{"type": "text", "text": "clear"}]}, False, "clear"),
        ({"status": "error", "content": "boom"}, True, {"error": "boom"}),
        ({"status": None}, False, "clear"),
    ],
)
def test_a_tool_has_failed_if_its_status_says_so(
    fields: dict[str, Any], is_error: bool, result: Any
) -> None:
    run = run_of(ASKED, said(tool_calls=[call()]), told(**fields))
    assert calls_of(run) == [("look", {}, "result", is_error, result)]


@pytest.mark.parametrize("name", ["look", None])
def test_an_invalid_call_is_an_error_that_never_ran(name: str | None) -> None:
    invalid = {"name": name, "args": '{"at": ', "id": "c", "error": "cut off"}
    run = run_of(ASKED, said(invalid_tool_calls=[invalid]))
    assert calls_of(run) == [(name or "", '{"at": ', "call", True, None)]


@pytest.mark.parametrize("args", [{"at": 1}, '{"at": 1}'])
def test_arguments_are_an_object_or_a_text_of_one(args: Any) -> None:
    run = run_of(ASKED, said(tool_calls=[call(args=args)]))
    assert calls_of(run) == [("look", {"at": 1}, "call", False, None)]


def test_a_call_in_a_block_of_the_content_counts_once() -> None:
    block = {"type": "tool_use", "id": "c", "name": "look", "input": {}}
    assert len(run_of(ASKED, said([block], tool_calls=[call()])).invocations) == 1
    assert len(run_of(ASKED, said([block])).invocations) == 1


def test_a_tool_of_the_models_server_is_called_and_answered_in_the_content() -> None:
    content = [
        "I look. ",
        {"type": "server_tool_call", "id": "c", "name": "look", "args": {"at": 1}},
        {"type": "server_tool_result", "tool_call_id": "c", "status": "error", "output": "boom"},
        {"type": "text", "text": "Nothing."},
    ]
    run = run_of(ASKED, said(content))
    assert run.joined_text == "I look. Nothing."
    assert calls_of(run) == [("look", {"at": 1}, "result", True, {"error": "boom"})]


def test_older_versions_keep_calls_as_the_provider_wrote_them() -> None:
    function = {"name": "look", "arguments": '{"at": 1}'}
    provided = {"tool_calls": [{"id": "c", "type": "function", "function": function}]}
    run = run_of(ASKED, said(additional_kwargs=provided), told())
    assert calls_of(run) == [("look", {"at": 1}, "result", False, "clear")]
    parsed = said(additional_kwargs=provided, tool_calls=[call(args={"at": 1})])
    assert run_of(ASKED, parsed, told()).invocations == run.invocations


def test_a_function_of_older_versions_is_answered_by_its_name() -> None:
    provided = {"function_call": {"name": "look", "arguments": "{}"}}
    answered = {"type": "function", "name": "look", "content": "clear"}
    run = run_of(ASKED, said(additional_kwargs=provided), answered)
    assert calls_of(run) == [("look", {}, "result", False, "clear")]


@pytest.mark.parametrize(
    ("position", "args", "state"),
    [
        (None, '{"at": ', "partial-call"),
        (None, '{"at": 1}', "call"),
        ("last", '{"at": ', "call"),
    ],
)
def test_a_chunk_may_have_calls_that_are_still_streaming(
    position: str | None, args: str, state: str
) -> None:
    chunk = {
        "type": "AIMessageChunk",
        "content": "an",
        "tool_calls": [call(args={})],
        "tool_call_chunks": [{"name": "look", "args": args, "id": "c", "index": 0}],
        "chunk_position": position,
    }
    run = run_of(ASKED, chunk)
    assert run.joined_text == "an"
    assert calls_of(run) == [("look", {}, state, False, None)]


def test_a_chat_message_is_what_its_role_says() -> None:
    asked = {"type": "chat", "role": "user", "content": "question"}
    run = run_of(asked, {"type": "chat", "role": "assistant", "content": "answer"})
    assert (run.input, run.joined_text) == ("question", "answer")


def test_messages_of_the_system_and_removals_say_nothing() -> None:
    rules = [{"type": "system", "content": "rule"}, {"type": "remove", "content": "", "id": "x"}]
    assert len(run_of(ASKED, *rules, said("answer")).output) == 1


@pytest.mark.parametrize(
    ("message", "reason", "detail"),
    [
        ({"type": "ai"}, "missing_field", "messages[0].content: Field required"),
        ({"content": "x"}, "missing_field", "messages[0].type: Field required"),
        ({"type": "dream", "content": "x"}, "bad_field", UNKNOWN),
        ("x", "bad_field", "messages[0]: Input should be an object"),
        (
            said(tool_calls=[{"args": {}}]),
            "missing_field",
            "messages[0].tool_calls[0].name: Field required",
        ),
        ({"lc": 1, "id": 5, "kwargs": {"content": ""}}, "bad_field", UNKNOWN),
        (ASKED, "no_content", "messages: no assistant's follows the user's last"),
    ],
)
def test_messages_amiss_are_refused_by_their_place(message: Any, reason: str, detail: str) -> None:
    assert refusal_of([message], NAME) == (reason, detail)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "dream", "content": "x"},
        {"type": "ai"},
        {"type": "message", "role": "assistant", "content": "x"},
        {"type": ["ai"], "content": "x"},
        "x",
    ],
)
def test_messages_of_other_types_are_not_taken_for_langchains(message: Any) -> None:
    assert not is_seen([ASKED, message], NAME)

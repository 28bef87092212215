"""How UI messages of Vercel's AI SDK are read, beyond what the golden cases show."""

from typing import Any

import pytest

from tests.formats.chats import calls_of, is_seen, refusal_of, run_from

NAME = "vercel_ui"


def said(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"id": "a1", "role": "assistant", "parts": list(parts)} | fields


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "text": content}


def tool(state: str, **fields: Any) -> dict[str, Any]:
    return {"type": "tool-book", "toolCallId": "c1", "state": state, "input": {"day": 1}} | fields


ASKED = {"id": "u1", "role": "user", "parts": [text("Book")]}


@pytest.mark.parametrize(
    ("part", "state", "is_error", "result"),
    [
        (tool("input-streaming"), "partial-call", False, None),
        (tool("input-available"), "call", False, None),
        (tool("approval-requested"), "call", False, None),
        (tool("approval-responded", approval={"approved": True}), "call", False, None),
        (tool("output-available", output=4), "result", False, 4),
        (tool("output-available", output=4, preliminary=True), "call", False, None),
        (tool("output-error", errorText="full"), "result", True, {"error": "full"}),
        (tool("output-denied", approval={"reason": "no"}), "result", True, {"error": "no"}),
        (tool("output-denied"), "result", True, {"error": "denied"}),
    ],
)
def test_states_are_normalised(
    part: dict[str, Any], state: str, is_error: bool, result: Any
) -> None:
    run = run_from([ASKED, said(part)], NAME)
    assert calls_of(run) == [("book", {"day": 1}, state, is_error, result)]


def test_arguments_that_could_not_be_read_are_a_call_that_never_ran() -> None:
    part = {"type": "tool-book", "toolCallId": "c1", "rawInput": '{"day": ', "errorText": "bad"}
    run = run_from([ASKED, said(part | {"state": "output-error"})], NAME)
    assert calls_of(run) == [("book", '{"day": ', "call", True, {"error": "bad"})]


def test_arguments_may_be_a_text_and_a_tool_dynamic() -> None:
    part = tool("input-available", type="dynamic-tool", toolName="mail", input='{"to": "kim"}')
    assert calls_of(run_from([said(part)], NAME))[0][:2] == ("mail", {"to": "kim"})


@pytest.mark.parametrize(
    ("state", "read"), [("partial-call", "partial-call"), ("call", "call"), ("result", "result")]
)
def test_an_invocation_of_the_version_4_is_read(state: str, read: str) -> None:
    told = {"toolCallId": "c1", "toolName": "book", "args": {"day": 1}, "state": state}
    part = {"type": "tool-invocation", "toolInvocation": told | {"result": 4}}
    result = 4 if state == "result" else None
    assert calls_of(run_from([said(part)], NAME)) == [("book", {"day": 1}, read, False, result)]


def test_each_step_is_a_message_and_its_texts_are_joined_by_nothing() -> None:
    start, thought = {"type": "step-start"}, {"type": "reasoning", "text": "Hm."}
    parts = [start, thought, start, text("a"), text("b"), start, {"type": "file"}, text("c")]
    assert [m.text for m in run_from([said(*parts)], NAME).output] == ["ab", "c"]


def test_a_message_that_says_nothing_is_said() -> None:
    run = run_from([ASKED, said({"type": "step-start"})], NAME)
    assert [message.text for message in run.output] == [""]


def test_the_run_is_the_turn_after_the_users_last_message() -> None:
    chat = [ASKED, said(text("old"), id="a0"), ASKED, said(text("new"))]
    run = run_from({"id": "chat-7", "messages": chat, "agent": "desk"}, NAME)
    assert (run.run_id, run.conversation_id, run.agent_id) == ("a1", "chat-7", "desk")
    assert (run.input, run.joined_text) == ("Book", "new")


def test_a_message_may_come_alone_and_without_an_id() -> None:
    assert run_from(said(text("hi"), createdAt="2026-11-01T12:00:00Z"), NAME).run_id == "a1"
    assert run_from(said(text("hi"), id=""), NAME).run_id == "r"


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "user", "parts": [{"type": "text", "content": "of OTel"}]}],
        [{"role": "user", "parts": [{"text": "of Gemini"}]}],
        [{"role": "user", "content": "of OpenAI"}],
        [{"kind": "request", "parts": [{"part_kind": "text"}]}],
        [{"role": "user", "content": {"parts": [text("of Mastra")]}}],
        {"parts": [text("of nobody")]},
    ],
)
def test_parts_of_others_are_not_taken_for_its_own(value: Any) -> None:
    assert not is_seen(value, NAME)


@pytest.mark.parametrize(
    ("value", "reason", "where"),
    [
        ([ASKED], "no_content", "messages"),
        ([ASKED, said(tool("output-guessed"))], "bad_field", "state"),
        ([said({"type": "tool-book", "state": "input-available"})], "missing_field", "toolCallId"),
        ([said({"type": "tool-invocation"})], "bad_field", "payload"),
        ([{"role": "assistant"}], "missing_field", "[0].parts"),
        ([said() | {"parts": ["hi"]}], "bad_field", "[0].parts[0]"),
    ],
)
def test_messages_amiss_are_refused(value: Any, reason: str, where: str) -> None:
    answer = refusal_of(value, NAME)
    assert (answer[0], answer[1].split(":")[0]) == (reason, where)


def test_a_long_chat_takes_one_walk() -> None:
    chat = [message for _ in range(20_000) for message in (ASKED, said(tool("call")))]
    assert len(run_from(chat, NAME).output) == 1

"""How the model messages of Vercel's AI SDK are read, beyond what the golden case shows.

That case is what `generateText` of package `ai` 6.0.326 returned for a scripted model.
"""

from typing import Any

import pytest

from live_scoring.core.run import AgentRun
from tests.formats.chats import calls_of, is_seen, refusal_of, run_from

NAME = "vercel_messages"
ASKED = {"role": "user", "content": [{"type": "text", "text": "question"}]}


def run_of(*messages: dict[str, Any]) -> AgentRun:
    return run_from(list(messages), NAME)


def said(*parts: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(parts)}


def told(**fields: Any) -> dict[str, Any]:
    return {"role": "tool", "content": [part("tool-result", **fields)]}


def part(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "toolCallId": "c", "toolName": "look"} | fields


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "text": content}


def test_the_run_is_what_follows_the_last_message_of_the_user() -> None:
    old = [{"role": "user", "content": "old"}, said(part("tool-call", input={})), told(result="x")]
    answer = said({"type": "reasoning", "text": "hm"}, text("an"), text("swer"))
    run = run_of({"role": "system", "content": "rule"}, *old, ASKED, answer)
    assert (run.input, run.joined_text, run.invocations) == ("question", "answer", ())


@pytest.mark.parametrize("key", ["input", "args"])
@pytest.mark.parametrize("args", [{"at": 1}, '{"at": 1}'])
def test_arguments_are_an_object_or_a_text_of_one(key: str, args: Any) -> None:
    run = run_of(ASKED, said(part("tool-call", **{key: args})))
    assert calls_of(run) == [("look", {"at": 1}, "call", False, None)]


@pytest.mark.parametrize(
    ("fields", "is_error", "result"),
    [
        ({"output": {"type": "text", "value": "clear"}}, False, "clear"),
        ({"output": {"type": "json", "value": {"sky": "clear"}}}, False, {"sky": "clear"}),
        ({"output": {"type": "content", "value": [text("x")]}}, False, [text("x")]),
        ({"output": {"type": "error-text", "value": "boom"}}, True, {"error": "boom"}),
        ({"output": {"type": "error-json", "value": {"code": 5}}}, True, {"code": 5}),
        ({"output": {"type": "execution-denied"}}, True, {"error": "denied"}),
        ({"output": {"type": "execution-denied", "reason": "no"}}, True, {"error": "no"}),
        ({"output": {"type": "later", "value": 1}}, False, {"type": "later", "value": 1}),
        ({"output": "clear"}, False, "clear"),
        ({"result": {"sky": "clear"}}, False, {"sky": "clear"}),
        ({"result": "boom", "isError": True}, True, {"error": "boom"}),
        ({}, False, None),
    ],
)
def test_a_result_says_by_its_type_or_a_flag_whether_it_failed(
    fields: dict[str, Any], is_error: bool, result: Any
) -> None:
    run = run_of(ASKED, said(part("tool-call", input={})), told(**fields))
    assert calls_of(run) == [("look", {}, "result", is_error, result)]


def test_a_tool_of_the_provider_is_called_and_answered_in_one_message() -> None:
    run = run_of(ASKED, said(part("tool-call", input={}), part("tool-result", result="clear")))
    assert calls_of(run) == [("look", {}, "result", False, "clear")]


def test_an_older_list_of_mastra_is_read_too() -> None:
    stored = {"id": "m1", "threadId": "t", "createdAt": "2026-11-01T12:00:00Z"}
    messages = [ASKED, said(part("tool-call", args={})), told(result="clear"), said(text("x"))]
    run = run_of(*(message | stored | {"type": "text"} for message in messages))
    assert (run.called_tools, run.joined_text) == (("look",), "x")


@pytest.mark.parametrize(
    ("messages", "reason", "detail"),
    [
        ([ASKED], "no_content", "messages: no assistant's follows the user's last"),
        ([{"role": "user"}], "missing_field", "messages[0].content: Field required"),
        (
            [said({"type": "tool-call", "input": {}})],
            "missing_field",
            "content: a tool-call has no toolName",
        ),
        (
            [{"role": "bot", "content": ""}],
            "bad_field",
            "messages[0].role: Input should be 'system', 'user', 'assistant' or 'tool'",
        ),
    ],
)
def test_messages_amiss_are_refused(messages: list[Any], reason: str, detail: str) -> None:
    assert refusal_of(messages, NAME) == (reason, detail)


def test_messages_of_texts_alone_are_read_alike_as_openais() -> None:
    chat = [ASKED, said(text("answer"))]
    assert not is_seen(chat, NAME)
    assert run_from(chat, "openai_chat").joined_text == "answer"

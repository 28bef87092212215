"""How Anthropic's messages are read, beyond what the golden cases show."""

from typing import Any

import pytest

from live_scoring.core.run import AgentRun
from tests.formats.chats import calls_of, is_seen, refusal_of, run_from

NAME = "anthropic"
ASKED = {"role": "user", "content": "question"}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}


def run_of(*messages: dict[str, Any], **frame: Any) -> AgentRun:
    return run_from({"messages": list(messages), "stop_reason": "end_turn"} | frame, NAME)


def said(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def told(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "text": content}


def use(call_id: str = "c", kind: str = "tool_use", args: Any = None) -> dict[str, Any]:
    return {"type": kind, "id": call_id, "name": "look", "input": {} if args is None else args}


def result(content: Any = "clear", kind: str = "tool_result", **fields: Any) -> dict[str, Any]:
    return {"type": kind, "tool_use_id": "c", "content": content} | fields


def test_the_text_of_an_answer_is_its_text_blocks() -> None:
    run = run_from([ASKED, said(THOUGHT, text("an"), text("swer"))], NAME)
    assert (run.input, run.joined_text) == ("question", "answer")


def test_a_user_message_of_results_alone_goes_on_with_the_run() -> None:
    run = run_of(ASKED, said(use()), told(result()), said(text("answer")))
    assert run.input == "question"
    assert calls_of(run) == [("look", {}, "result", False, "clear")]


def test_a_user_message_that_says_something_beside_results_begins_a_run() -> None:
    run = run_of(ASKED, said(use()), told(result(), text("and now?")), said(text("answer")))
    assert (run.input, run.invocations, run.joined_text) == ("and now?", (), "answer")


def test_the_run_is_what_follows_the_last_question() -> None:
    run = run_of(told(text("old")), said(text("old"), use()), ASKED, said(text("answer")))
    assert (run.input, run.joined_text, run.invocations) == ("question", "answer", ())


@pytest.mark.parametrize(
    ("block", "is_error", "read"),
    [
        (result(), False, "clear"),
        (result('{"sky": "clear"}'), False, {"sky": "clear"}),
        (result([text('{"sky": '), text('"clear"}')]), False, {"sky": "clear"}),
        (result([text("x"), {"type": "image"}]), False, [text("x"), {"type": "image"}]),
        (result([]), False, []),
        (result(None), False, None),
        (result("boom", is_error=True), True, {"error": "boom"}),
        (result([text("boom")], is_error=True), True, {"error": "boom"}),
        (result(None, is_error=True), True, None),
        (result("clear", is_error=False), False, "clear"),
        (result('{"error": "said by the tool"}'), False, {"error": "said by the tool"}),
    ],
)
def test_a_result_has_failed_if_it_says_so(block: Any, is_error: bool, read: Any) -> None:
    run = run_of(ASKED, said(use()), told(block))
    assert calls_of(run) == [("look", {}, "result", is_error, read)]


@pytest.mark.parametrize("args", [{"at": 1}, '{"at": 1}'])
def test_arguments_are_an_object_or_a_text_of_one(args: Any) -> None:
    assert calls_of(run_of(ASKED, said(use(args=args)))) == [
        ("look", {"at": 1}, "call", False, None)
    ]


def test_a_call_of_which_the_arguments_were_cut_off_stays_unfinished() -> None:
    run = run_of(ASKED, said(use(args='{"at": ')), stop_reason="max_tokens")
    assert calls_of(run) == [("look", '{"at": ', "call", False, None)]


@pytest.mark.parametrize("kind", ["server", "mcp"])
def test_tools_of_servers_are_called_and_answered_in_one_message(kind: str) -> None:
    answered = result([text("clear")], f"{kind}_tool_result")
    run = run_of(ASKED, said(use(kind=f"{kind}_tool_use"), answered, text("answer")))
    assert calls_of(run) == [("look", {}, "result", False, "clear")]


def test_a_server_tool_has_failed_if_its_result_is_of_a_type_of_error() -> None:
    error = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    failed = result(error, "web_search_tool_result")
    run = run_of(ASKED, said(use(kind="server_tool_use"), failed))
    assert calls_of(run) == [("look", {}, "result", True, error)]


def test_a_response_alone_is_a_run_without_input() -> None:
    response = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [text("answer")],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 2},
    }
    run = run_from(response, NAME)
    assert (run.run_id, run.input, run.joined_text) == ("msg_1", None, "answer")
    assert (run.model, run.input_tokens, run.output_tokens) == ("m", 3, 2)
    log = {"request": {"messages": [ASKED], "system": "rule"}, "response": response}
    assert run_from(log, NAME) == run.model_copy(update={"input": "question"})


def test_blocks_of_a_later_version_are_left_out_unless_they_call_or_answer() -> None:
    blocks = [{"type": "dream"}, use(kind="later_tool_use"), result("x", "later_tool_result")]
    assert calls_of(run_of(ASKED, said(*blocks))) == [("look", {}, "result", False, "x")]


@pytest.mark.parametrize(
    ("messages", "reason", "detail"),
    [
        ([ASKED], "no_content", "messages: no assistant's follows the user's last"),
        (
            [ASKED, {"role": "assistant"}],
            "missing_field",
            "messages[1].content: Field required",
        ),
        (
            [ASKED, said({"type": "tool_use", "id": "c"})],
            "missing_field",
            "content: a block that calls has no name",
        ),
        (
            [{"role": "tool", "content": "x"}],
            "bad_field",
            "messages[0].role: Input should be 'user', 'assistant' or 'system'",
        ),
        (
            [said({"type": 1})],
            "bad_field",
            "messages[0].content[0].type: Input should be a valid string",
        ),
    ],
)
def test_messages_amiss_are_refused(messages: list[Any], reason: str, detail: str) -> None:
    assert refusal_of(messages, NAME) == (reason, detail)


def test_messages_without_a_mark_of_anthropic_are_read_alike_as_openais() -> None:
    chat = [ASKED, said(text("answer"))]
    assert not is_seen(chat, NAME)
    assert is_seen(chat, "openai_chat")
    assert run_of(*chat) == run_from(chat, "openai_chat")

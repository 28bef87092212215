"""How OpenAI's chat messages are read, beyond what the golden cases show."""

from typing import Any

import pytest

from live_scoring.core.run import AgentRun
from tests.formats.chats import calls_of, is_seen, refusal_of, run_from

NAME = "openai_chat"
ASKED = {"role": "user", "content": "question"}
SAID = {"role": "assistant", "content": "answer"}


def run_of(*messages: dict[str, Any], **frame: Any) -> AgentRun:
    return run_from({"messages": list(messages)} | frame, NAME)


def calling(*calls: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)} | fields


def call(call_id: str | None = "c", arguments: Any = "{}") -> dict[str, Any]:
    function = {"name": "look", "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def told(content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": "c", "content": content} | fields


def test_a_list_of_messages_is_a_run_that_the_envelope_names() -> None:
    run = run_from([ASKED, SAID], NAME)
    assert (run.run_id, run.agent_id, run.input, run.joined_text) == (
        "r",
        "a",
        "question",
        "answer",
    )


def test_the_run_is_what_follows_the_last_user_message() -> None:
    old = [{"role": "user", "content": "old"}, calling(call("old")), told("x", tool_call_id="old")]
    run = run_of(*old, {"role": "assistant", "content": "old"}, ASKED, SAID)
    assert (run.input, run.joined_text, run.invocations) == ("question", "answer", ())


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "said"}, "said"),
        ({"content": [{"type": "text", "text": "sa"}, {"type": "text", "text": "id"}]}, "said"),
        ({"content": None, "refusal": "I cannot"}, "I cannot"),
        ({"content": [{"type": "refusal", "refusal": "no"}]}, "no"),
        ({"content": None, "audio": {"id": "x", "transcript": "spoken"}}, "spoken"),
        ({"content": None}, ""),
        ({"content": ""}, ""),
    ],
)
def test_the_text_of_an_answer(message: dict[str, Any], text: str) -> None:
    assert run_of(ASKED, {"role": "assistant"} | message).joined_text == text


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ('{"at": 1}', {"at": 1}),
        ({"at": 1}, {"at": 1}),
        ('{"at": ', '{"at": '),
        ("", ""),
        (None, None),
    ],
)
def test_arguments_are_an_object_a_text_of_one_or_stay_as_they_are(
    arguments: Any, args: Any
) -> None:
    assert calls_of(run_of(ASKED, calling(call(arguments=arguments)))) == [
        ("look", args, "call", False, None)
    ]


@pytest.mark.parametrize(
    ("content", "is_error", "result"),
    [
        ("clear", False, "clear"),
        ('{"sky": "clear"}', False, {"sky": "clear"}),
        ([{"type": "text", "text": "clear"}], False, "clear"),
        ('{"error": "503"}', True, {"error": "503"}),
        ('{"error": null}', False, {"error": None}),
        ("error: 503", False, "error: 503"),
    ],
)
def test_a_result_has_failed_only_by_its_key_error(
    content: Any, is_error: bool, result: Any
) -> None:
    run = run_of(ASKED, calling(call()), told(content), SAID)
    assert calls_of(run) == [("look", {}, "result", is_error, result)]


def test_a_custom_tool_is_called_with_a_text() -> None:
    custom = {"id": "c", "type": "custom", "custom": {"name": "run_code", "input": "print(1)"}}
    run = run_of(ASKED, calling(custom), told("1"))
    assert calls_of(run) == [("run_code", "print(1)", "result", False, "1")]


def test_a_function_of_older_versions_is_answered_by_its_name() -> None:
    asked = {"role": "assistant", "content": None, "function_call": call()["function"]}
    answered = {"role": "function", "name": "look", "content": '{"sky": "clear"}'}
    run = run_of(ASKED, asked, answered, asked)
    assert calls_of(run) == [
        ("look", {}, "result", False, {"sky": "clear"}),
        ("look", {}, "call", False, None),
    ]


@pytest.mark.parametrize("name", ["name", "tool_name"])
def test_calls_without_ids_are_answered_by_their_names(name: str) -> None:
    answered = {"role": "tool", "content": "clear", name: "look"}
    run = run_of(ASKED, calling(call(None), call("")), answered, answered)
    assert [i.result for i in run.invocations] == ["clear", "clear"]


def test_a_result_for_no_call_is_left_out() -> None:
    assert run_of(ASKED, told("x"), {"role": "tool", "content": "y"}, SAID).invocations == ()


def test_a_log_of_request_and_response_is_one_run() -> None:
    choice = {"index": 0, "finish_reason": "tool_calls", "message": calling(call())}
    response = {
        "id": "chatcmpl-1",
        "created": 1_793_534_400,
        "model": "m-2026",
        "choices": [choice],
    }
    run = run_from({"request": {"model": "m", "messages": [ASKED]}, "response": response}, NAME)
    assert (run.run_id, run.end_ms, run.model) == ("chatcmpl-1", 1_793_534_400_000, "m-2026")
    assert (run.input, run.called_tools) == ("question", ("look",))


def test_a_response_alone_is_a_run_without_input() -> None:
    run = run_from({"id": "chatcmpl-1", "choices": [{"message": SAID}]}, NAME)
    assert (run.input, run.joined_text) == (None, "answer")


def test_a_response_that_is_an_error_is_a_run_that_failed() -> None:
    log = {"request": {"messages": [ASKED]}, "response": {"error": {"message": "overloaded"}}}
    run = run_from(log, NAME)
    assert (run.output, run.error) == ((), "overloaded")


@pytest.mark.parametrize(
    ("messages", "reason", "detail"),
    [
        ([ASKED], "no_content", "messages: no assistant's follows the user's last"),
        ([SAID, ASKED], "no_content", "messages: no assistant's follows the user's last"),
        ([{"role": "assistant"}], "missing_field", "messages[0].content: Field required"),
        (
            [ASKED, {"role": "bot", "content": "x"}],
            "bad_field",
            "messages[1].role: Input should be 'system', 'developer', 'user', 'assistant', 'tool' "
            "or 'function'",
        ),
        ([ASKED, "answer"], "bad_field", "messages[1]: Input should be an object"),
        (
            [{"role": "assistant", "content": 17}],
            "bad_field",
            "messages[0].content: Input should be an array",
        ),
        (
            [{"role": "assistant", "content": [{"text": "x"}]}],
            "missing_field",
            "messages[0].content[0].type: Field required",
        ),
        (
            [calling({"id": "c", "type": "later"})],
            "missing_field",
            "messages[0].tool_calls[0].function: Field required",
        ),
        (
            [calling({"id": "c", "function": {"arguments": "{}"}})],
            "missing_field",
            "messages[0].tool_calls[0].function.name: Field required",
        ),
    ],
)
def test_messages_amiss_are_refused_by_their_place(
    messages: list[Any], reason: str, detail: str
) -> None:
    assert refusal_of(messages, NAME) == (reason, detail)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": [{"type": "tool-call", "toolName": "look"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "look"}]},
        {"role": "assistant", "content": "", "parts": []},
        {"role": "assistant", "content": "", "toolInvocations": []},
        {"role": "assistant", "content": {"parts": []}},
        {"role": "assistant", "content": "", "type": "chat"},
        {"role": "assistant"},
        {"role": "bot", "content": "x"},
        {"role": ["assistant"], "content": "x"},
        "answer",
    ],
)
def test_messages_that_may_hide_calls_elsewhere_are_not_taken_for_these(message: Any) -> None:
    assert not is_seen([ASKED, message], NAME)

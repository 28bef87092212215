"""How OpenAI's Responses are read, beyond what the golden cases show."""

from typing import Any

import pytest

from tests.formats.chats import calls_of, is_seen, refusal_of, run_from

NAME = "openai_responses"
ASKED = {"role": "user", "content": "Book"}


def said(content: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": content, "annotations": []}
    return {"type": "message", "role": "assistant", "content": [part]}


def called(call_id: str = "c1", **fields: Any) -> dict[str, Any]:
    told = {"type": "function_call", "call_id": call_id, "name": "book", "arguments": '{"day": 1}'}
    return told | fields


def answered(output: Any, call_id: str = "c1") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


@pytest.mark.parametrize(
    ("items", "state", "is_error", "result"),
    [
        ([called(), answered('{"desk": 4}')], "result", False, {"desk": 4}),
        ([called(), answered("desk 4")], "result", False, "desk 4"),
        ([called(), answered([{"type": "input_text", "text": "4"}])], "result", False, "4"),
        ([called(), answered({"error": "full"})], "result", True, {"error": "full"}),
        ([called(), answered('{"error": null}')], "result", False, {"error": None}),
        ([called()], "call", False, None),
        ([called(status="incomplete")], "call", False, None),
        ([called(status="in_progress")], "partial-call", False, None),
    ],
)
def test_a_function_ends_as_its_output_tells(
    items: list[Any], state: str, is_error: bool, result: Any
) -> None:
    run = run_from([ASKED, *items], NAME)
    assert calls_of(run) == [("book", {"day": 1}, state, is_error, result)]


@pytest.mark.parametrize(
    ("item", "call"),
    [
        (
            {"type": "web_search_call", "status": "completed", "action": {"query": "x"}},
            ("web_search", {"query": "x"}, "result", False, None),
        ),
        (
            {"type": "code_interpreter_call", "status": "incomplete", "code": "1+1"},
            ("code_interpreter", "1+1", "call", False, None),
        ),
        (
            {"type": "file_search_call", "status": "failed", "queries": ["x"]},
            ("file_search", ["x"], "result", True, {"error": "failed"}),
        ),
        (
            {"type": "mcp_call", "name": "roll", "arguments": "{}", "output": "4"},
            ("roll", {}, "result", False, "4"),
        ),
        (
            {"type": "mcp_call", "name": "roll", "arguments": "{}", "error": {"code": 503}},
            ("roll", {}, "result", True, {"error": {"code": 503}}),
        ),
        (
            {"type": "mcp_call", "name": "roll", "arguments": "{}", "status": "calling"},
            ("roll", {}, "call", False, None),
        ),
        (
            {"type": "brand_new_call", "status": "completed"},
            ("brand_new", None, "result", False, None),
        ),
        (
            {"type": "shell_call", "call_id": "c1", "action": {"commands": []}},
            ("shell", {"commands": []}, "call", False, None),
        ),
    ],
)
def test_a_tool_on_the_models_side_tells_itself_how_it_ended(
    item: dict[str, Any], call: tuple[Any, ...]
) -> None:
    assert calls_of(run_from([ASKED, {"id": "i1"} | item, said("Done.")], NAME)) == [call]


@pytest.mark.parametrize(
    ("items", "state", "is_error", "result"),
    [
        ([], "call", False, None),
        ([{"type": "mcp_approval_response", "approve": False}], "result", True, "denied"),
        (
            [
                {"type": "mcp_approval_response", "approve": True},
                {"type": "mcp_call", "id": "m1", "name": "roll", "output": "4"},
            ],
            "result",
            False,
            "4",
        ),
    ],
)
def test_an_approval_and_its_call_are_one(
    items: list[Any], state: str, is_error: bool, result: Any
) -> None:
    asked = {"type": "mcp_approval_request", "id": "p1", "name": "roll", "arguments": "{}"}
    told = [item | {"approval_request_id": "p1"} for item in items]
    run = run_from([ASKED, said("I may roll?"), asked, *told], NAME)
    outcome = {"error": result} if is_error else result
    assert calls_of(run) == [("roll", {}, state, is_error, outcome)]


def test_a_call_belongs_to_the_text_before_it() -> None:
    reasoning = {"type": "reasoning", "id": "rs_1"}
    first = [called("c0"), answered("0", "c0"), reasoning, said("one"), called(), called("c2")]
    last = [answered("1"), answered("2", "c2"), said("two"), said("three")]
    run = run_from([ASKED, *first, *last], NAME)
    assert [(m.text, len(m.tool_invocations)) for m in run.output] == [
        ("", 1),
        ("one", 2),
        ("two", 0),
        ("three", 0),
    ]


def test_a_refusal_is_said() -> None:
    refused = {"type": "message", "role": "assistant", "content": [{"type": "refusal"}]}
    refused["content"] = [{"type": "refusal", "refusal": "I may not."}]
    response = {"object": "response", "id": "resp_1", "output": [refused]}
    assert run_from(response, NAME).joined_text == "I may not."


def test_what_came_before_the_users_last_message_is_history() -> None:
    run = run_from([ASKED, called(), answered("0"), ASKED, said("Again?")], NAME)
    assert (run.joined_text, run.invocations) == ("Again?", ())


@pytest.mark.parametrize(
    "value",
    [
        {"input": "Book", "object": "response", "output": [said("Done.")]},
        {
            "request": {"input": "Book"},
            "response": {"object": "response", "output": [said("Done.")]},
        },
        {"type": "response.completed", "input": [ASKED], "response": {"output": [said("Done.")]}},
        {"items": [ASKED, said("Done.")]},
    ],
)
def test_a_response_comes_alone_and_in_a_log(value: dict[str, Any]) -> None:
    run = run_from(value, NAME)
    assert (run.input, run.joined_text) == ("Book", "Done.")


def test_a_response_that_failed_may_have_said_nothing() -> None:
    failed = {"object": "response", "status": "failed", "error": {"message": "away"}, "output": []}
    assert run_from(failed, NAME).error == "away"


@pytest.mark.parametrize(
    "value",
    [
        [ASKED, {"role": "assistant", "content": "Done."}],
        [{"type": "tool_call", "traceId": "t", "startTime": 0, "id": "s"}],
        {"output": [{"role": "assistant", "text": "Done."}], "run_id": "r", "agent_id": "a"},
    ],
)
def test_messages_of_others_are_not_taken_for_its_own(value: Any) -> None:
    assert not is_seen(value, NAME)


@pytest.mark.parametrize(
    ("value", "reason", "where"),
    [
        ([ASKED], "no_content", "messages"),
        ([ASKED, {"type": "item_reference", "id": "m1"}], "no_content", "item_reference"),
        ([ASKED, {"type": ["function_call"]}], "bad_field", "[1].type"),
        ([ASKED, "Done."], "bad_field", "[1]"),
        ({"object": "response"}, "no_content", "messages"),
    ],
)
def test_items_amiss_are_refused(value: Any, reason: str, where: str) -> None:
    answer = refusal_of(value, NAME)
    assert (answer[0], answer[1].split(":")[0]) == (reason, where)


def test_many_items_take_one_walk() -> None:
    items = [item for at in range(20_000) for item in (called(str(at)), answered("0", str(at)))]
    assert len(run_from([ASKED, *items], NAME).invocations) == 20_000

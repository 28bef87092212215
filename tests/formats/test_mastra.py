"""How Mastra's payload is read, beyond what the conformance cases show."""

from typing import Any

import pytest

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.core.wire import to_json
from live_scoring.formats import Decoded, decode
from live_scoring.formats.mastra import text_of
from tests.formats import chats


def message(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content} | fields


def payload(*output: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"runId": "r", "entity": {"id": "a"}, "output": list(output)} | fields


def run_from(value: dict[str, Any]) -> AgentRun:
    answer = decode(to_json(value))
    assert isinstance(answer, Decoded)
    assert answer.format_name == "mastra"
    return answer.run


def calls_of(parts: list[Any], legacy: list[Any]) -> tuple[str, ...]:
    content = {
        "parts": [{"type": "tool-invocation", "toolInvocation": part} for part in parts],
        "toolInvocations": legacy,
    }
    (read,) = run_from(payload(message("assistant", content))).output
    return tuple(invocation.name for invocation in read.tool_invocations)


def invoked(call_id: str | None, name: str, **fields: Any) -> dict[str, Any]:
    return {"toolCallId": call_id, "toolName": name, "state": "result"} | fields


def reading_of(**fields: Any) -> tuple[str, bool, Any]:
    content = {"toolInvocations": [{"toolCallId": "c", "toolName": "t"} | fields]}
    (read,) = run_from(payload(message("assistant", content))).output
    (invocation,) = read.tool_invocations
    return invocation.state, invocation.is_error, invocation.result


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hello", "hello"),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}, {}], "two"),
        ({"content": "first", "text": "second"}, "first"),
        ({"content": "", "text": "second", "parts": [{"type": "text", "text": "x"}]}, "second"),
        ({"content": 1, "parts": [{"type": "text", "text": "x"}, {"type": "step-start"}]}, "x"),
        ({"parts": [{"type": "text", "text": "x"}, {"type": "text", "text": 1}]}, ""),
        ({"parts": "x"}, ""),
        ({}, ""),
        (None, ""),
        (17, ""),
    ],
)
def test_the_text_of_a_message_is_its_last_text(content: Any, text: str) -> None:
    assert text_of(content) == text


def test_parts_win_over_older_invocations_of_the_same_id_and_the_order_stays() -> None:
    parts = [invoked("2", "part-2"), invoked("4", "part-4")]
    legacy = [invoked(str(at), f"old-{at}") for at in range(1, 6)]
    assert calls_of(parts, legacy) == ("old-1", "part-2", "old-3", "part-4", "old-5")


def test_older_invocations_that_no_part_places_come_last() -> None:
    assert calls_of([invoked("9", "part")], [invoked("1", "old")]) == ("part", "old")


def test_an_invocation_without_an_id_never_merges() -> None:
    assert calls_of([invoked(None, "part")], [invoked(None, "old"), invoked("", "older")]) == (
        "part",
        "old",
        "older",
    )


def test_an_invocation_that_is_no_object_is_dropped() -> None:
    assert calls_of([None, invoked("1", "part"), "x"], [None, invoked("2", "old")]) == (
        "part",
        "old",
    )


@pytest.mark.parametrize(
    ("fields", "state", "is_error"),
    [
        ({"state": "result"}, "result", False),
        ({"state": "result", "isError": True}, "result", True),
        ({"state": "result", "isError": 1}, "result", False),
        ({"state": "output-error"}, "result", True),
        ({"state": "call"}, "call", False),
        ({"state": "partial-call"}, "partial-call", False),
        ({"state": "RESULT", "isError": True}, "partial-call", True),
        ({"state": ["call"]}, "partial-call", False),
        ({}, "partial-call", False),
    ],
)
def test_states_are_normalised(fields: dict[str, Any], state: str, is_error: bool) -> None:
    assert reading_of(**fields)[:2] == (state, is_error)


@pytest.mark.parametrize("error", ["x", 1, -0.5, True, {}, []])
def test_an_error_that_javascript_counts_as_true_is_one(error: Any) -> None:
    assert reading_of(state="result", result={"error": error})[1]


@pytest.mark.parametrize("error", ["", 0, -0.0, False, None, float("nan")])
def test_an_error_that_javascript_counts_as_false_is_none(error: Any) -> None:
    assert not reading_of(state="result", result={"error": error})[1]


def test_the_text_of_an_error_is_its_result() -> None:
    assert reading_of(state="output-error", errorText="503")[2] == {"error": "503"}
    assert reading_of(state="output-error", errorText="503", result="kept")[2] == "kept"


def test_all_output_is_the_run_whoever_spoke() -> None:
    spoken = (message("assistant", "a"), message("user", "b"), message("assistant", "c"))
    run = run_from(payload(*spoken, input="asked"))
    assert (run.input, run.joined_text, len(run.output)) == ("asked", "ac", 3)


@pytest.mark.parametrize(
    ("given_input", "text"),
    [
        ({"inputMessages": [message("user", "old"), message("user", "new")]}, "new"),
        ([message("user", "asked"), message("system", "rule")], "asked"),
        ("asked", "asked"),
        ({"city": "Paris"}, {"city": "Paris"}),
        (None, None),
    ],
)
def test_the_input_is_the_text_of_its_last_user_message(given_input: Any, text: Any) -> None:
    assert run_from(payload(input=given_input)).input == text


@pytest.mark.parametrize(
    "times", [["2026-11-01T12:00:02.000Z", "2026-11-01T13:00:01+01:00"], [1_793_534_402_000, None]]
)
def test_the_run_ends_with_the_newest_of_its_messages(times: list[Any]) -> None:
    messages = [message("assistant", "", createdAt=time) for time in times]
    assert run_from(payload(*messages)).end_ms == 1_793_534_402_000


def test_a_payload_tells_trace_and_conversation() -> None:
    in_message = run_from(payload(message("assistant", "", threadId="m"), traceId="t"))
    assert (in_message.trace_id, in_message.conversation_id) == ("t", "m")
    of_its_own = run_from(payload(message("assistant", "", threadId="m"), threadId="p"))
    assert of_its_own.conversation_id == "p"


def test_an_agent_without_an_id_goes_by_its_name() -> None:
    assert run_from(payload(entity={"name": "Menu Agent"})).agent_id == "Menu Agent"
    assert run_from(payload(entity={"id": "menu", "name": "Menu Agent"})).agent_id == "menu"


def test_an_id_that_javascript_has_cut_within_a_character_is_no_reason_to_refuse_the_run() -> None:
    run = run_from(payload(runId="run-\ud83d", entity={"id": "menu-\ud83d"}))
    assert (run.run_id, run.agent_id) == ("run-\ud83d", "menu-\ufffd")


@pytest.mark.parametrize(
    ("value", "reason", "path"),
    [
        (payload(entity={}), "missing_field", "entity.id"),
        (payload(entity=None), "bad_field", "entity"),
        (payload(runId=None), "bad_field", "runId"),
        (payload({"role": "assistant", "parts": []}), "missing_field", "output[0].content"),
        (payload({"content": "x"}), "missing_field", "output[0].role"),
        (payload(message("assistant", "x", createdAt="noon")), "bad_field", "output[0].createdAt"),
    ],
)
def test_a_payload_amiss_is_refused_by_its_own_paths(
    value: dict[str, Any], reason: str, path: str
) -> None:
    answer = decode(to_json(value))
    assert isinstance(answer, Failure)
    assert (answer.reason, answer.detail.split(":")[0]) == (reason, path)


def stored(role: str, text: str, **fields: Any) -> dict[str, Any]:
    parts = [{"type": "text", "text": text}]
    return message(role, {"format": 2, "parts": parts}, threadId="t") | fields


def test_stored_messages_are_a_run_without_a_payload_around_them() -> None:
    answered = stored("assistant", "answer", createdAt="2026-11-01T12:00:00.000Z")
    messages = [stored("user", "old"), stored("user", "question"), answered]
    alone, framed = run_of_list(messages), run_of_list({"agentId": "b", "messages": messages})
    assert (alone.agent_id, framed.agent_id) == ("a", "b")
    for run in (alone, framed):
        assert (run.input, run.joined_text) == ("question", "answer")
        assert (run.conversation_id, run.end_ms) == ("t", 1_793_534_400_000)


def run_of_list(value: Any) -> AgentRun:
    return chats.run_from(value, "mastra")


@pytest.mark.parametrize(
    ("messages", "reason", "detail"),
    [
        ([stored("user", "x")], "no_content", "messages: none follows the user's last"),
        ([{"content": {}}], "missing_field", "messages[0].role: Field required"),
        ([{"role": "assistant"}], "missing_field", "messages[0].content: Field required"),
        ({"x": 1}, "missing_field", "runId: Field required"),
    ],
)
def test_stored_messages_amiss_are_refused(messages: Any, reason: str, detail: str) -> None:
    assert chats.refusal_of(messages, "mastra") == (reason, detail)

"""How pydantic-ai's messages are read, beyond what the golden cases show."""

from typing import Any

import pytest

from live_scoring.core.run import AgentRun
from tests.formats.chats import calls_of, is_seen, refusal_of, run_from

NAME = "pydantic_ai"


def run_of(*messages: dict[str, Any]) -> AgentRun:
    return run_from(list(messages), NAME)


def part(kind: str, content: Any = None, **fields: Any) -> dict[str, Any]:
    return {"part_kind": kind, "content": content} | fields


def asked(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"kind": "request", "parts": list(parts)} | fields


def said(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"kind": "response", "parts": list(parts)} | fields


def call(args: Any = None, kind: str = "tool-call") -> dict[str, Any]:
    return {"part_kind": kind, "tool_name": "look", "tool_call_id": "c", "args": args}


def told(content: Any = "clear", kind: str = "tool-return", **fields: Any) -> dict[str, Any]:
    return part(kind, content, tool_name="look", tool_call_id="c") | fields


QUESTION = asked(part("system-prompt", "rule"), part("user-prompt", "question"))
ANSWER = said(part("thinking", "hm"), part("text", "an"), part("text", "swer"))


def test_the_text_of_an_answer_is_its_text_parts() -> None:
    run = run_of(QUESTION, ANSWER)
    assert (run.input, run.joined_text) == ("question", "answer")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (["ques", "tion"], "question"),
        (["question", {"kind": "image-url", "url": "https://x"}], "question"),
        ([{"kind": "text-content", "content": "question"}], "question"),
        ([], ""),
        (None, ""),
    ],
)
def test_a_prompt_may_be_of_several_items(content: Any, text: str) -> None:
    assert run_of(asked(part("user-prompt", content)), ANSWER).input == text


def test_the_run_is_what_follows_the_last_prompt_and_tells_of_itself() -> None:
    used = {"usage": {"input_tokens": 2, "output_tokens": 3}, "model_name": "m"}
    run = run_of(
        asked(part("user-prompt", "old"), run_id="r1"),
        said(call(), run_id="r1", timestamp="2026-11-01T11:00:00Z", **used),
        asked(part("user-prompt", "question"), run_id="r2", conversation_id="t"),
        said(call(), run_id="r2", timestamp="2026-11-01T12:00:00Z", **used),
        asked(told(), run_id="r2", timestamp="2026-11-01T12:00:01Z"),
        said(part("text", "answer"), run_id="r2", timestamp="2026-11-01T12:00:02Z", **used),
    )
    assert (run.input, run.joined_text, len(run.invocations)) == ("question", "answer", 1)
    assert (run.run_id, run.conversation_id, run.model) == ("r2", "t", "m")
    assert (run.end_ms, run.input_tokens, run.output_tokens) == (1_793_534_402_000, 4, 6)


def test_usage_has_other_names_in_older_versions() -> None:
    usage = {"requests": 1, "request_tokens": 2, "response_tokens": 3, "total_tokens": 5}
    run = run_of(QUESTION, said(part("text", "x"), usage=usage))
    assert (run.input_tokens, run.output_tokens, run.total_tokens) == (2, 3, 5)


def test_a_prompt_beside_results_holds_files_and_begins_no_run() -> None:
    files = part("user-prompt", ["This is file 1:", {"kind": "binary", "data": "aGk="}])
    run = run_of(QUESTION, said(call()), asked(told("See file 1"), files), ANSWER)
    assert run.input == "question"
    assert calls_of(run) == [("look", {}, "result", False, "See file 1")]


@pytest.mark.parametrize("outcome", ["failed", "denied", "interrupted", "retried", "later"])
def test_an_outcome_but_success_is_an_error(outcome: str) -> None:
    run = run_of(QUESTION, said(call()), asked(told("busy", outcome=outcome)))
    assert calls_of(run) == [("look", {}, "result", True, {"error": "busy"})]


@pytest.mark.parametrize(
    ("fields", "is_error", "result"),
    [
        ({"outcome": "success"}, False, "clear"),
        ({}, False, "clear"),
        ({"content": {"sky": "clear"}}, False, {"sky": "clear"}),
        ({"content": [1]}, False, [1]),
        ({"content": "busy", "part_kind": "retry-prompt"}, True, {"error": "busy"}),
        ({"content": [{"msg": "x"}], "part_kind": "retry-prompt"}, True, [{"msg": "x"}]),
    ],
)
def test_older_versions_have_no_outcome_and_ask_for_another_try(
    fields: dict[str, Any], is_error: bool, result: Any
) -> None:
    run = run_of(QUESTION, said(call()), asked(told(**fields)))
    assert calls_of(run) == [("look", {}, "result", is_error, result)]


@pytest.mark.parametrize("kind", ["retry-prompt", "retry-feedback"])
def test_another_try_of_the_whole_answer_is_neither_question_nor_result(kind: str) -> None:
    run = run_of(QUESTION, said(part("text", "a")), asked(part(kind, "again")), ANSWER)
    assert (run.input, run.spaced_text) == ("question", "a answer")


@pytest.mark.parametrize(
    ("args", "read"),
    [
        ({"at": 1}, {"at": 1}),
        ('{"at": 1}', {"at": 1}),
        ('{"at": ', '{"at": '),
        (None, {}),
        ("", {}),
    ],
)
def test_arguments_are_an_object_a_text_of_one_or_none(args: Any, read: Any) -> None:
    assert calls_of(run_of(QUESTION, said(call(args)))) == [("look", read, "call", False, None)]


@pytest.mark.parametrize(
    ("state", "read"),
    [("incomplete", "partial-call"), ("complete", "call"), ("interrupted", "call")],
)
def test_a_call_of_an_answer_that_is_still_streaming_is_partial(state: str, read: str) -> None:
    (invocation,) = run_of(QUESTION, said(call('{"a'), state=state)).invocations
    assert invocation.state == read


def test_a_tool_of_the_models_server_is_called_and_answered_in_one_message() -> None:
    parts = [call({"q": 1}, "builtin-tool-call"), told({"n": 2}, "builtin-tool-return")]
    run = run_of(QUESTION, said(*parts, part("text", "x")))
    assert calls_of(run) == [("look", {"q": 1}, "result", False, {"n": 2})]


def test_speech_is_told_by_its_transcript() -> None:
    run = run_of(
        asked(part("speech", speaker="user", transcript="question")),
        said(part("speech", speaker="assistant", transcript="answer")),
    )
    assert (run.input, run.joined_text) == ("question", "answer")


def test_parts_of_a_later_version_are_left_out() -> None:
    run = run_of(QUESTION, said(part("dream", "x"), part("text", "y")))
    assert run.joined_text == "y"


@pytest.mark.parametrize(
    ("messages", "reason", "detail"),
    [
        ([QUESTION], "no_content", "messages: no assistant's follows the user's last"),
        ([{"kind": "response"}], "missing_field", "messages[0].parts: Field required"),
        (
            [{"kind": "dream", "parts": []}],
            "bad_field",
            "messages[0].kind: Input should be 'request' or 'response'",
        ),
        ([said({})], "missing_field", "messages[0].parts[0].part_kind: Field required"),
        ([said(part("tool-call"))], "missing_field", "parts: a call has no tool_name"),
    ],
)
def test_messages_amiss_are_refused(messages: list[Any], reason: str, detail: str) -> None:
    assert refusal_of(messages, NAME) == (reason, detail)


@pytest.mark.parametrize(
    "message", [{"kind": "dream", "parts": []}, {"kind": "request"}, said({"type": "text"}), "x"]
)
def test_other_messages_are_not_taken_for_pydantic_ais(message: Any) -> None:
    assert not is_seen([QUESTION, message], NAME)

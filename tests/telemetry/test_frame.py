"""What stands around messages, and what is taken where it says nothing."""

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Source
from live_scoring.telemetry.conversation import Conversation
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.frame import messages_in, opened, to_run

NOTHING: Mapping[str, Any] = {}
ENVELOPE = Envelope(Source("runs", 2, 41, 0), b"of-key")


def run_from(
    frame: Any, envelope: Envelope = ENVELOPE, told: Mapping[str, Any] = NOTHING
) -> AgentRun:
    conversation = Conversation()
    conversation.ask("hello")
    conversation.say("hi")
    return to_run(conversation, frame, envelope, told)


@pytest.mark.parametrize(
    ("frame", "field", "value"),
    [
        ({"run_id": "r", "id": "other"}, "run_id", "r"),
        ({"runId": "r"}, "run_id", "r"),
        ({"id": 17}, "run_id", "17"),
        ({"agent_id": "a"}, "agent_id", "a"),
        ({"agent": "a"}, "agent_id", "a"),
        ({"agent": {"name": "a"}}, "agent_id", "a"),
        ({"agent_id": None, "agentName": "a"}, "agent_id", "a"),
        ({"created": 1_793_534_400}, "end_ms", 1_793_534_400_000),
        ({"createdAt": "2026-11-01T12:00:00Z"}, "end_ms", 1_793_534_400_000),
        ({"thread_id": "t"}, "conversation_id", "t"),
        ({"conversation": {"id": "t"}}, "conversation_id", "t"),
        ({"traceId": "t"}, "trace_id", "t"),
        ({"model": "m"}, "model", "m"),
        ({"usage": {"prompt_tokens": 5}}, "input_tokens", 5),
        ({"usage": {"output_tokens": 5}}, "output_tokens", 5),
        ({"tags": {"a": 1, "b": [1]}, "metadata": {"a": 2}}, "tags", {"a": "1"}),
        ({"metadata": {"c": True}}, "tags", {"c": "true"}),
        ({"tags": ["prod"]}, "tags", {}),
        ({"error": "cut off"}, "error", "cut off"),
        ({"error": {"message": "cut off", "code": 5}}, "error", "cut off"),
        ({"error": {"code": 5}}, "error", '{"code":5}'),
        ({"error": None}, "error", None),
        ({"usage": None, "tags": None, "model": None}, "model", None),
    ],
)
def test_a_frame_names_what_it_tells_in_many_ways(
    frame: dict[str, Any], field: str, value: Any
) -> None:
    assert getattr(run_from(frame), field) == value


def test_what_the_frame_says_stands_over_the_messages_and_these_over_the_envelope() -> None:
    told = {"run_id": "told", "agent_id": "told", "model": None}
    run = run_from({"run_id": "framed", "agent_id": None}, told=told)
    assert (run.run_id, run.agent_id, run.model) == ("framed", "told", None)


def test_without_a_frame_the_envelope_names_run_and_agent() -> None:
    run = run_from([])
    assert (run.run_id, run.agent_id) == ("runs/2/41", "of-key")


def test_a_run_of_an_agent_that_nothing_names_is_refused() -> None:
    with pytest.raises(DecodeError) as refused:
        run_from({}, Envelope())
    assert refused.value.failure.reason == "missing_field"
    assert refused.value.failure.detail.startswith("agent_id: neither in the payload nor in")


@pytest.mark.parametrize("frame", [{"id": []}, {"agent": {}}, {"model": []}, {"usage": "5"}])
def test_a_field_of_a_foreign_type_is_refused(frame: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        run_from(frame)


def test_a_conversation_without_an_answer_is_no_run_unless_an_error_says_why() -> None:
    conversation = Conversation()
    conversation.ask("hello")
    with pytest.raises(DecodeError) as refused:
        to_run(conversation, {}, ENVELOPE, {})
    assert refused.value.failure.reason == "no_content"
    assert to_run(conversation, {"error": "cut off"}, ENVELOPE, {}).has_failed


def test_a_log_of_request_and_response_is_as_one_object() -> None:
    log = {
        "request": {"messages": [1], "model": "asked"},
        "response": {"id": "r", "model": "answered"},
        "agent": "a",
    }
    assert opened(log) == ([1], log | {"messages": [1], "id": "r", "model": "answered"})


def test_the_id_of_a_conversation_names_no_run() -> None:
    payload = {"id": "chat", "messages": [1]}
    _, frame = opened(payload)
    run = run_from(frame)
    assert (run.run_id, run.conversation_id) == ("runs/2/41", "chat")
    _, frame = opened(payload | {"thread_id": "t"})
    assert run_from(frame).conversation_id == "t"


@pytest.mark.parametrize(
    ("payload", "messages"),
    [
        ([1], [1]),
        ({"messages": [1]}, [1]),
        ([], None),
        ({"messages": []}, None),
        ({"messages": {}}, None),
        ({}, None),
        ("messages", None),
    ],
)
def test_messages_stand_alone_or_in_an_object(payload: Any, messages: Any) -> None:
    assert messages_in(payload) == messages

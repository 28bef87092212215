"""Runs in JSON of one's own making, read by a mapping of the configuration."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.config.worker import WorkerConfig
from live_scoring.core.decoding import refuse
from live_scoring.core.run import AgentRun, Message, ToolInvocation
from live_scoring.core.score import Failure, Source
from live_scoring.core.wire import to_json
from live_scoring.formats import DEFAULT_LIMITS, Decoded, Limits, decode
from live_scoring.formats.mapped import RunMapping, unmet_places
from live_scoring.telemetry.envelope import Envelope
from live_scoring.wiring import build_formats
from tests.formats.strategies import JSON_VALUES

SUPPORT = {
    "agent_id": "$.bot.name",
    "run_id": "$.id",
    "timestamp": "$.finished",
    "input": "$.question",
    "text": "$.answer",
    "tool_calls": {
        "at": "$.steps[?@.kind == 'tool']",
        "id": "$.id",
        "name": "$.tool",
        "arguments": "$.args",
        "result": "$.output",
        "error": "$.failure",
    },
    "tags": {"environment": "header:env", "version": "$.v", "team": "value:care"},
    "conversation_id": "$.session",
    "error": "$.crash",
}
RUN = {
    "id": 7,
    "bot": {"name": "support-bot"},
    "finished": "2026-11-01T12:00:00Z",
    "question": "Where is it?",
    "answer": "On its way.",
    "session": 12,
    "v": 42,
    "steps": [
        {"kind": "thought"},
        {"kind": "tool", "id": 1, "tool": "find", "args": '{"no": 9}', "output": {"at": "hub"}},
        {"kind": "tool", "id": 2, "tool": "call", "args": {}, "failure": "busy"},
        {"kind": "tool", "id": 3, "tool": "page", "args": '{"to": "fin'},
    ],
}
CHAT = {
    "agent_id": "key",
    "messages": {
        "at": "$.turns",
        "role": "$.who",
        "text": "$.says",
        "roles": {"bot": "assistant", "human": "user"},
    },
    "tool_calls": {"at": "$.calls", "id": "$.id", "name": "$.tool", "arguments": "$.args"},
    "tool_results": {"at": "$.got", "id": "$.call", "result": "$.value", "error": "$.error"},
}
TURNS = {
    "turns": [
        {"who": "human", "says": "Hello"},
        {"who": "bot", "says": "What?", "calls": [{"id": "c0", "tool": "old"}]},
        {"who": "human", "says": "Move it"},
        {"who": "bot", "says": None, "calls": [{"id": "c1", "tool": "move", "args": {"x": 1}}]},
        {"who": "tool", "says": "", "got": {"call": "c1", "error": "jam"}},
        {"who": "bot", "says": ["It is ", "jammed."], "calls": [{"id": "c2", "tool": "page"}]},
    ]
}
ENVELOPE = Envelope(Source("t", 1, 2, 3), b"desk-bot", (("env", b"prod"),))


def read(mapping: dict[str, Any], value: Any, envelope: Envelope = ENVELOPE) -> AgentRun | Failure:
    config = WorkerConfig.model_validate({"mappings": {"own": mapping}})
    answer = decode(to_json(value), "own", DEFAULT_LIMITS, envelope, build_formats(config))
    if isinstance(answer, Failure):
        return answer
    assert isinstance(answer, Decoded)
    assert answer.format_name == "own"
    return answer.run


def refused(mapping: dict[str, Any], value: Any, envelope: Envelope = ENVELOPE) -> tuple[str, str]:
    answer = read(mapping, value, envelope)
    assert isinstance(answer, Failure)
    return answer.reason, answer.detail


def test_a_run_that_is_one_object_is_read_from_its_places() -> None:
    calls = (
        ToolInvocation(id="1", name="find", args={"no": 9}, result={"at": "hub"}),
        ToolInvocation(id="2", name="call", args={}, is_error=True, result={"error": "busy"}),
        ToolInvocation(id="3", name="page", args='{"to": "fin', state="call"),
    )
    assert read(SUPPORT, RUN) == AgentRun.model_validate(
        {
            "run_id": "7",
            "agent_id": "support-bot",
            "timestamp": "2026-11-01T12:00:00Z",
            "input": "Where is it?",
            "output": (Message(role="assistant", text="On its way.", tool_invocations=calls),),
            "tags": {"environment": "prod", "version": 42, "team": "care"},
            "conversation_id": "12",
        }
    )


def test_a_run_that_is_messages_begins_after_the_last_question() -> None:
    moved = ToolInvocation(
        id="c1", name="move", args={"x": 1}, is_error=True, result={"error": "jam"}
    )
    paged = ToolInvocation(id="c2", name="page", state="call")
    assert read(CHAT, TURNS) == AgentRun(
        run_id="t/1/2",
        agent_id="desk-bot",
        input="Move it",
        output=(
            Message(role="assistant", text="", tool_invocations=(moved,)),
            Message(role="tool", text=""),
            Message(role="assistant", text="It is jammed.", tool_invocations=(paged,)),
        ),
    )


def test_several_answers_are_several_messages() -> None:
    run = read({"agent_id": "value:a", "text": "$.answers"}, {"answers": ["one", "two"]})
    assert isinstance(run, AgentRun)
    assert run.spaced_text == "one two"


def test_calls_without_a_place_for_results_count_as_finished() -> None:
    mapping = {"agent_id": "value:a", "text": "$.a", "tool_calls": {"at": "$.t", "name": "$"}}
    run = read(mapping, {"a": "x", "t": ["find", "page"]})
    assert isinstance(run, AgentRun)
    assert [(i.name, i.has_failed) for i in run.invocations] == [("find", False), ("page", False)]


def test_a_run_that_failed_may_lack_its_text() -> None:
    run = read(SUPPORT, {**RUN, "answer": "gone"} | {"crash": {"code": 5}})
    assert isinstance(run, AgentRun)
    assert run.error == '{"code":5}'
    cut = {key: value for key, value in RUN.items() if key != "answer"}
    assert isinstance(read(SUPPORT, {**cut, "crash": "out of memory"}), AgentRun)
    assert refused(SUPPORT, cut)[0] == "missing_field"


def test_an_agent_may_come_from_a_header_or_the_topic() -> None:
    mapping, value = {"text": "$.a"}, {"a": "x"}
    named = read(mapping, value, Envelope(headers=(("agent-id", b"a1"),), key=b"k"))
    of_topic = read(mapping, value, Envelope(agent_id="a2", key=b"k"))
    assert isinstance(named, AgentRun)
    assert isinstance(of_topic, AgentRun)
    assert (named.agent_id, of_topic.agent_id) == ("a1", "a2")
    assert refused(mapping, value, Envelope()) == (
        "missing_field",
        "agent_id: has no place in the mapping, and header agent-id and key are missing",
    )


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        (
            {"bot": {"title": "x"}},
            "agent_id: $.bot.name leads to nothing; $['bot'] is an object with the keys 'title'",
        ),
        ({"bot": "x"}, "agent_id: $.bot.name leads to nothing; $['bot'] is a text"),
        ({"bot": {"name": ["x"]}}, "agent_id: $.bot.name is a list of 1"),
        ({"answer": 5}, "text: is a number where a text is needed"),
        ({"steps": [{"kind": "tool"}]}, "tool_calls.name: $.tool leads to nothing; $ is an object"),
    ],
)
def test_a_wrong_path_is_named_with_what_is_there_instead(
    change: dict[str, Any], detail: str
) -> None:
    assert refused(SUPPORT, RUN | change)[1].startswith(detail)


def test_a_missing_header_is_named_with_those_that_are_there() -> None:
    assert refused({"agent_id": "header:bot", "text": "$.a"}, {"a": "x"}) == (
        "missing_field",
        "agent_id: header:bot leads to nothing; the record has the headers 'env'",
    )


def test_the_places_that_lead_to_nothing_are_told() -> None:
    mapping = RunMapping.model_validate(SUPPORT)
    told = list(unmet_places(mapping, {key: RUN[key] for key in ("id", "bot", "answer")}, ENVELOPE))
    assert [line.split(":")[0] for line in told] == [
        "timestamp",
        "input",
        "conversation_id",
        "error",
        "tool_calls.at",
        "tags.version",
    ]


def test_a_mapping_is_never_guessed() -> None:
    config = WorkerConfig.model_validate({"mappings": {"own": SUPPORT}})
    answer = decode(to_json(RUN), None, DEFAULT_LIMITS, ENVELOPE, build_formats(config))
    assert isinstance(answer, Failure)
    assert answer.reason == "unknown_format"


@pytest.mark.parametrize("depth", [98, 99, 100, 150])
def test_a_path_into_any_depth_is_read_or_refused(depth: int) -> None:
    config = WorkerConfig.model_validate({"mappings": {"own": {"text": "$..said"}}})
    payload = b'{"a":' * depth + b'{"said": "hello"}' + b"}" * depth
    answer = decode(payload, "own", Limits(max_depth=200), ENVELOPE, build_formats(config))
    if depth < 100:
        assert isinstance(answer, Decoded)
    else:
        assert answer == refuse("too_deep", "$..said: leads too far down; name the levels")


@given(JSON_VALUES, st.sampled_from([SUPPORT, CHAT]))
def test_no_json_raises_under_a_mapping(value: Any, mapping: dict[str, Any]) -> None:
    read(mapping, value)


@given(st.dictionaries(st.sampled_from([*RUN, *TURNS]), JSON_VALUES), st.sampled_from([RUN, TURNS]))
def test_no_run_of_odd_parts_raises(change: dict[str, Any], value: dict[str, Any]) -> None:
    read(SUPPORT, value | change)
    read(CHAT, value | change)

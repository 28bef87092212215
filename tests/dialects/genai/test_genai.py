"""OTel GenAI: which spans are a run, and what they tell of it."""

from typing import Any

import pytest

from live_scoring.telemetry.span import Span
from tests.dialects.genai.spans import (
    ASKED,
    agent,
    call,
    chat,
    refusal_of,
    run_of,
    runs_of,
    said,
    story,
    text,
    tool,
)
from tests.telemetry.spans import MS, span


def finished(reason: str) -> dict[str, Any]:
    return {"gen_ai.response.finish_reasons": [reason]}


def test_each_outermost_agent_of_a_trace_is_a_run() -> None:
    runs = runs_of(
        span("server"),
        agent("one", "server", at=1),
        chat("1", [ASKED], [said(text("1"))], "one", at=2),
        agent("two", "server", at=3),
        chat("2", [ASKED], [said(text("2"))], "two", at=4),
    )
    told = [(run.run_id, run.agent_id, story(run), run.trace_id) for run in runs]
    assert told == [("t:one", "one", ["1"], "t"), ("t:two", "two", ["2"], "t")]


def test_an_agent_that_is_a_tool_of_another_speaks_by_its_result_alone() -> None:
    run = run_of(
        agent(),
        chat("1", [ASKED], [said(call("a"))], at=1),
        tool("a", at=2, told={"gen_ai.tool.call.result": "found"}),
        agent("inner", "tool-a", at=3),
        chat("2", [ASKED], [said(text("secret"), call("b"))], "inner", at=4),
        tool("b", "inner", at=5),
    )
    assert run.agent_id == "agent"
    assert story(run) == [("a", "result", False)]


def test_an_agent_that_takes_over_speaks_for_the_run() -> None:
    run = run_of(
        agent(),
        chat("1", [ASKED], [said(text("I hand over."))], at=1),
        agent("inner", "agent", at=2),
        chat("2", [ASKED], [said(text("Done."))], "inner", at=3),
    )
    assert story(run) == ["I hand over.", "Done."]


def test_a_model_seen_by_two_instrumentations_spoke_once() -> None:
    spoken = [said(text("Done."))]
    run = run_of(agent(), chat("1", [ASKED], spoken, at=1), chat("2", [ASKED], spoken, "1", at=2))
    assert story(run) == ["Done."]


def test_models_without_an_agent_are_one_run_of_their_service() -> None:
    run = run_of(
        span("server"),
        chat("1", [ASKED], [said(call("a"))], "server", at=1, told={"gen_ai.agent.id": "a-7"}),
        tool("a", "server", at=2, told={"gen_ai.tool.call.result": 1}),
    )
    assert (run.run_id, run.agent_id) == ("t", "a-7")
    assert story(run) == [("a", "result", False)]


@pytest.mark.parametrize(
    ("told", "agent_id"),
    [
        ({"gen_ai.agent.id": "a-7", "gen_ai.agent.name": "desk"}, "a-7"),
        ({"gen_ai.agent.name": "desk"}, "desk"),
        ({"gen_ai.agent.id": "", "gen_ai.agent.name": ""}, "desk-service"),
    ],
)
def test_an_agent_goes_by_id_then_name_then_service(told: dict[str, Any], agent_id: str) -> None:
    whose: dict[str, Any] = {"told": told, "resource": {"service.name": "desk-service"}}
    assert run_of(agent(**whose), chat("1", [ASKED], [])).agent_id == agent_id


def test_an_agent_that_nothing_names_is_refused() -> None:
    failure = refusal_of(chat("1", [ASKED], [], resource={}))
    assert (failure.reason, failure.detail[:8]) == ("missing_field", "agent_id")


def test_a_run_tells_model_tokens_time_tags_and_error() -> None:
    resource = {"service.version": "v42", "deployment.environment.name": "prod", "pids": [1]}
    spent = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2}
    run = run_of(
        agent(resource=resource, error="max turns", told={"gen_ai.conversation.id": "c"}),
        chat("1", [ASKED], [], at=1, told=spent | {"gen_ai.request.model": "old"}),
        chat("2", [ASKED], [], at=2, told=spent | {"gen_ai.response.model": "new"}),
    )
    assert (run.model, run.input_tokens, run.output_tokens) == ("new", 20, 4)
    assert (run.duration_ms, run.conversation_id, run.error) == (1000.0, "c", "max turns")
    assert run.tags == {
        "service.version": "v42",
        "deployment.environment.name": "prod",
        "version": "v42",
        "environment": "prod",
    }


def test_where_models_tell_no_tokens_the_agents_sum_counts() -> None:
    run = run_of(agent(told={"gen_ai.usage.input_tokens": 9}), chat("1", [ASKED], []))
    assert (run.input_tokens, run.output_tokens) == (9, None)


@pytest.mark.parametrize(
    "spans",
    [
        [tool("a", at=2)],
        [chat("1", None, None, at=1), tool("a", at=2)],
        [chat("1", None, None, at=1, told=finished("tool_calls")), tool("a", at=2)],
    ],
)
def test_tools_are_known_by_their_spans_where_words_were_not_captured(spans: list[Span]) -> None:
    run = run_of(agent(), *spans)
    assert (run.has_content, run.spaced_text, run.called_tools) == (False, "", ("look",))


def test_models_that_all_ended_without_a_tool_called_none() -> None:
    run = run_of(agent(), chat("1", None, None, at=1, told=finished("stop")))
    assert (run.has_content, run.called_tools) == (False, ())


@pytest.mark.parametrize("reasons", [None, [], "[]", ["tool_calls"], '["tool_call"]', 7])
def test_a_run_that_hides_both_words_and_tools_is_refused_and_told_how(reasons: Any) -> None:
    told = {"gen_ai.response.finish_reasons": reasons}
    failure = refusal_of(agent(), chat("1", None, None, at=1, told=told))
    assert failure.reason == "no_content"
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in failure.detail


def test_a_model_that_failed_before_it_answered_makes_a_run_with_an_error() -> None:
    run = run_of(chat("1", [ASKED], None, None, error="", told={"error.type": "RateLimit"}))
    assert (run.output, run.error, run.has_failed) == ((), "RateLimit", True)


def test_time_is_that_of_the_agents_end() -> None:
    late = chat("1", [ASKED], [], at=5_000)
    run = run_of(agent(), late)
    assert run.timestamp is not None
    assert run.timestamp.timestamp() * 1000 == agent().start_ns // MS + 1000


def test_a_span_over_the_answers_to_several_calls_is_no_tool() -> None:
    calls = [chat("1", [ASKED], [said(call("a"), call("b"))], at=1), tool("a", at=2)]
    merged = tool("c", at=3, told={"gen_ai.tool.name": "(merged tools)"})
    run = run_of(agent(), *calls, tool("b", at=2), merged)
    assert [i.id for i in run.invocations] == ["a", "b"]

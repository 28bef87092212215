"""Whose a step is: the runs of a trace and the spans that each is made of."""

import pytest

from live_scoring.telemetry.span import Span
from live_scoring.telemetry.steps import Kind, divide
from tests.telemetry.spans import span

KINDS: tuple[Kind, ...] = ("agent", "workflow", "model", "tool")


def kind_of(each: Span) -> Kind | None:
    return next((kind for kind in KINDS if each.name.startswith(kind)), None)


def divided(*spans: Span) -> dict[str | None, str]:
    """The steps of each run, joined by spaces, by the span that owns it."""
    ordered = sorted(spans, key=lambda each: each.start_ns)
    return {
        run.agent.span_id if run.agent else None: " ".join(
            s.span_id for s in (*run.models, *run.tools)
        )
        for run in divide(ordered, kind_of)
    }


def test_a_step_belongs_to_the_agent_above_it_however_far() -> None:
    trace = [span("agent", "server"), span("step", "agent"), span("tool", "step")]
    assert divided(*trace) == divided(*reversed(trace)) == {"agent": "tool"}


def test_one_trace_with_several_outermost_agents_is_as_many_runs() -> None:
    assert divided(
        span("workflow"),
        span("agent-a", "workflow"),
        span("model-a", "agent-a", at=20),
        span("agent-b", "workflow", at=10),
        span("model-b", "agent-b", at=10),
    ) == {"agent-a": "model-a", "agent-b": "model-b"}


def test_an_agent_inside_adds_to_the_outer_one_unless_it_is_its_tool() -> None:
    assert divided(
        span("agent"),
        span("agent-next", "agent"),
        span("model-next", "agent-next"),
        span("tool", "agent"),
        span("agent-hidden", "tool"),
        span("model-hidden", "agent-hidden"),
        span("tool-hidden", "agent-hidden"),
    ) == {"agent": "model-next tool"}


def test_an_agent_that_a_tool_of_another_process_calls_is_outermost() -> None:
    assert divided(span("tool"), span("agent", "tool"), span("model", "agent")) == {
        "agent": "model"
    }


def test_a_model_or_a_tool_inside_its_like_is_a_detail() -> None:
    assert divided(
        span("agent"),
        span("model", "agent"),
        span("model-in", "model"),
        span("tool", "model"),
        span("tool-in", "tool"),
        span("model-of-tool", "tool"),
    ) == {"agent": "model tool"}


def test_a_step_whose_parents_are_lost_is_of_the_agent_that_had_started_last() -> None:
    assert divided(
        span("model-early", "lost"),
        span("agent-a", at=10),
        span("tool-a", "lost", at=15),
        span("agent-b", at=20),
        span("tool-b", "lost", at=20),
    ) == {"agent-a": "model-early tool-a", "agent-b": "tool-b"}


def test_a_step_outside_of_all_agents_is_no_runs() -> None:
    assert divided(span("server"), span("model", "server"), span("agent", "server")) == {
        "agent": ""
    }


def test_without_an_agent_the_workflow_is_the_run_and_without_both_the_trace_is() -> None:
    flow = [span("workflow"), span("workflow-in", "workflow"), span("model", "workflow-in")]
    assert divided(*flow) == {"workflow": "model"}
    assert divided(*flow[2:], span("tool")) == {None: "model tool"}


def test_a_trace_that_tells_of_none_of_them_is_no_run() -> None:
    assert divided(span("server"), span("step", "server")) == {}
    assert divided() == {}


@pytest.mark.parametrize("parent", ["tool-a", "tool-b"])
def test_a_ring_of_parents_ends(parent: str) -> None:
    trace = [span("agent"), span("tool-a", "tool-b", at=1), span("tool-b", parent, at=2)]
    assert list(divided(*trace)) == ["agent"]


def test_a_chain_of_many_spans_takes_one_walk() -> None:
    chain = [span(str(at), str(at - 1) if at else "agent", at=at) for at in range(50_000)]
    assert divided(span("agent"), *chain, span("tool", "49999", at=50_000)) == {"agent": "tool"}

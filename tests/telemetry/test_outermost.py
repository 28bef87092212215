"""Whose a span is: the outermost agents of a trace and their own spans."""

import pytest

from live_scoring.telemetry.outermost import shares
from live_scoring.telemetry.span import Span
from tests.telemetry.spans import span


def is_agent(candidate: Span) -> bool:
    return candidate.name.startswith("agent")


def divided(*spans: Span) -> dict[str, str]:
    """The spans of each outermost agent, joined by spaces."""
    ordered = sorted(spans, key=lambda each: each.start_ns)
    found = shares(ordered, is_agent)
    return {share.agent.span_id: " ".join(own.span_id for own in share.own) for share in found}


def test_a_span_belongs_to_the_agent_above_it_however_far() -> None:
    trace = [span("agent", "server"), span("step", "agent"), span("tool", "step")]
    assert divided(*trace) == {"agent": "step tool"}
    assert divided(*reversed(trace)) == {"agent": "tool step"}


def test_one_trace_with_several_outermost_agents_is_divided_among_them() -> None:
    assert divided(
        span("agent-a", "flow"),
        span("a", "agent-a", at=20),
        span("agent-b", "flow", at=10),
        span("b", "agent-b", at=10),
    ) == {"agent-a": "a", "agent-b": "b"}


def test_what_an_agent_inside_did_is_not_of_the_one_outside() -> None:
    assert divided(
        span("agent"), span("tool", "agent"), span("agent-in", "tool"), span("inner", "agent-in")
    ) == {"agent": "tool agent-in"}


def test_what_stands_above_an_agent_is_an_orphan_too() -> None:
    assert divided(span("server"), span("agent", "server")) == {"agent": "server"}


def test_an_orphan_is_of_the_agent_that_had_started_last() -> None:
    assert divided(
        span("early", "lost"),
        span("agent-a", at=10),
        span("orphan-a", "lost", at=15),
        span("agent-b", at=20),
        span("orphan-b", "lost", at=20),
    ) == {"agent-a": "early orphan-a", "agent-b": "orphan-b"}


def test_without_an_agent_there_is_no_run() -> None:
    assert divided(span("server"), span("step", "server")) == {}
    assert divided() == {}


@pytest.mark.parametrize("parent", ["a", "b"])
def test_a_ring_of_parents_ends(parent: str) -> None:
    assert divided(span("agent"), span("a", "b", at=1), span("b", parent, at=2)) == {"agent": "a b"}


def test_a_chain_of_many_spans_takes_one_walk() -> None:
    chain = [span(str(at), str(at - 1), at=at) for at in range(50_000)]
    assert len(divided(span("agent-0"), *chain)["agent-0"].split()) == 50_000


def test_a_run_is_named_by_its_trace_and_by_its_span_only_where_there_are_several() -> None:
    (alone,) = shares([span("agent")], is_agent)
    several = shares([span("agent-a"), span("agent-b")], is_agent)
    assert alone.run_id == "t"
    assert [share.run_id for share in several] == ["t:agent-a", "t:agent-b"]


def test_a_run_ends_with_its_agent_or_else_with_the_last_that_is_known_of_it() -> None:
    (ended,) = shares([span("agent"), span("tool", "agent", at=5000)], is_agent)
    (cut,) = shares([span("agent", end_ns=None), span("tool", "agent", at=5000)], is_agent)
    assert ended.fields() == {
        "run_id": "t",
        "trace_id": "t",
        "timestamp": "2026-11-01T12:00:01.000Z",
        "duration_ms": 1000.0,
    }
    assert cut.fields()["timestamp"] == "2026-11-01T12:00:06.000Z"

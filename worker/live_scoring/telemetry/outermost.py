"""The outermost agents of a trace, each of them a run, and what each of them did itself."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from live_scoring.core.wire import to_rfc3339
from live_scoring.telemetry.span import Span

_NS_A_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Share:
    """An outermost agent and its part of the trace."""

    agent: Span
    own: tuple[Span, ...]
    """By start; without what an agent inside this one did, which is a tool to it."""
    run_id: str
    """The trace's id; with the agent's span where a trace holds several runs."""

    def fields(self) -> dict[str, Any]:
        """The fields of its run that any trace tells, by name."""
        spans = (self.agent, *self.own)
        end_ns = self.agent.end_ns or max(span.end_ns or span.start_ns for span in spans)
        return {
            "run_id": self.run_id,
            "trace_id": self.agent.trace_id,
            "timestamp": to_rfc3339(end_ns // _NS_A_MS),
            "duration_ms": max(end_ns - self.agent.start_ns, 0) / _NS_A_MS,
        }


def shares(spans: Sequence[Span], is_agent: Callable[[Span], bool]) -> tuple[Share, ...]:
    """Divide a trace among its outermost agents.

    A span above which no agent is known, because its parents were lost or belong to another
    process, is counted to the agent that had started last when it began.

    Args:
        spans: The trace, ordered by start.
        is_agent: Whether a span is that of an agent.
    """
    by_id = {span.span_id: span for span in spans}
    above = _agents_above(spans, by_id, is_agent)
    outermost = [span for span in spans if is_agent(span) and above[span.span_id] is None]
    own: dict[str, list[Span]] = {agent.span_id: [] for agent in outermost}
    starts = [agent.start_ns for agent in outermost]
    for span in spans:
        owner = above[span.span_id]
        if owner is None and outermost and not is_agent(span):
            owner = outermost[max(bisect_right(starts, span.start_ns) - 1, 0)].span_id
        if owner in own:
            own[owner].append(span)
    is_alone = len(outermost) == 1
    return tuple(
        Share(
            agent,
            tuple(own[agent.span_id]),
            agent.trace_id if is_alone else f"{agent.trace_id}:{agent.span_id}",
        )
        for agent in outermost
    )


def _agents_above(
    spans: Sequence[Span], by_id: Mapping[str, Span], is_agent: Callable[[Span], bool]
) -> dict[str, str | None]:
    """The nearest agent above each span; each is walked once, and a ring of parents ends."""
    found: dict[str, str | None] = {}
    for span in spans:
        path: list[str] = []
        at: Span | None = span
        nearest: str | None = None
        while at is not None and at.span_id not in found:
            found[at.span_id] = None
            path.append(at.span_id)
            at = by_id.get(at.parent_id or "")
            if at is not None and is_agent(at):
                nearest = at.span_id
                break
        else:
            nearest = found[at.span_id] if at is not None else None
        found.update(dict.fromkeys(path, nearest))
    return found

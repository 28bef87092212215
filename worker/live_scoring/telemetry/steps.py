"""What the runs of a trace are made of: the steps of a model and of tools, agent by agent."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from live_scoring.telemetry.span import Span

Kind = Literal["agent", "workflow", "model", "tool"]


@dataclass(frozen=True, slots=True)
class Steps:
    """The spans of one run, by start."""

    agent: Span | None
    """The outermost agent, or in a trace without one the outermost workflow; None without both."""
    models: list[Span] = field(default_factory=list)
    """A model's span inside another's, or inside a tool's, is a detail and left out."""
    tools: list[Span] = field(default_factory=list)
    """A tool's span inside another's is a detail and left out."""

    @property
    def spans(self) -> list[Span]:
        """All of them, the agent's first."""
        return [*([self.agent] if self.agent else []), *self.models, *self.tools]


class _Place(NamedTuple):
    """What stands above a span."""

    owner: str | None = None
    is_in_model: bool = False
    is_in_tool: bool = False
    is_lost: bool = False
    """Some parent is not known."""


_UNKNOWN = _Place()


class _Trace:
    def __init__(self, spans: Sequence[Span], kind_of: Callable[[Span], Kind | None]) -> None:
        self._by_id = {span.span_id: span for span in spans}
        self.kinds = {span.span_id: kind_of(span) for span in spans}
        self._owning: Kind = "agent" if "agent" in self.kinds.values() else "workflow"
        self.above: dict[str, _Place] = {}
        self._at: dict[str, _Place] = {}
        for span in spans:
            if span.span_id not in self._at:
                self._find(span)

    def is_outermost(self, span: Span) -> bool:
        return self._at[span.span_id].owner == span.span_id

    def _find(self, span: Span) -> None:
        """Walk up to what is known, then down again; each span once, and a ring ends."""
        path: list[Span] = []
        at: Span | None = span
        while at is not None and at.span_id not in self._at:
            self._at[at.span_id] = _UNKNOWN
            path.append(at)
            at = self._by_id.get(at.parent_id or "")
        if at is None:
            place = _Place(is_lost=path[-1].parent_id is not None)
        else:
            place = self._at[at.span_id]
        for each in reversed(path):
            self.above[each.span_id] = place
            place = self._at[each.span_id] = self._inside(each, place)

    def _inside(self, span: Span, above: _Place) -> _Place:
        kind = self.kinds[span.span_id]
        owner, is_in_model, is_in_tool, is_lost = above
        if kind == self._owning and owner is None:
            return _Place(owner=span.span_id)
        if kind == "model":
            is_in_model = True
        elif kind == "tool":
            is_in_tool = True
        else:
            return above
        return _Place(owner, is_in_model, is_in_tool, is_lost)


def divide(spans: Sequence[Span], kind_of: Callable[[Span], Kind | None]) -> tuple[Steps, ...]:
    """The runs of a trace: one for each outermost agent, or one where there is no agent.

    What an agent inside another did is the outer one's doing too, as in a handoff, unless a tool
    stands between them: then its result tells of it. A step whose parents are not known is
    counted to the agent that had started last; one outside of all agents is no run's.

    Args:
        spans: The trace, ordered by start.
        kind_of: What a span tells of; None for nothing but its place.
    """
    trace = _Trace(spans, kind_of)
    agents = [span for span in spans if trace.is_outermost(span)]
    runs = {agent.span_id: Steps(agent) for agent in agents}
    starts = [agent.start_ns for agent in agents]
    alone = Steps(None)
    for span in spans:
        place, kind = trace.above[span.span_id], trace.kinds[span.span_id]
        if place.owner is not None:
            run = runs[place.owner]
        elif agents and place.is_lost:
            run = runs[agents[max(bisect_right(starts, span.start_ns) - 1, 0)].span_id]
        else:
            run = alone
        if kind == "model" and not (place.is_in_model or place.is_in_tool):
            run.models.append(span)
        elif kind == "tool" and not place.is_in_tool:
            run.tools.append(span)
    if agents:
        return tuple(runs.values())
    return (alone,) if alone.spans else ()

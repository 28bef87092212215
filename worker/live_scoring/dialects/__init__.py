"""Closed traces to runs; `DIALECTS` names the conventions that spans are written by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from pydantic import ValidationError

from live_scoring.core.decoding import DecodeError, refusal_of
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.dialects import genai, mastra, openai_agents, openinference, vercel
from live_scoring.telemetry.span import Span


@dataclass(frozen=True, slots=True)
class Dialect:
    """One convention of attributes."""

    recognises: Callable[[Span], bool]
    """Whether a span is written in it and tells of an agent, a model or a tool."""
    read: Callable[[Sequence[Span]], Sequence[AgentRun]]
    """Runs of a trace's spans, ordered by start; raises `DecodeError` or `ValidationError`."""


DIALECTS: dict[str, Dialect] = {
    "mastra": Dialect(mastra.recognises, mastra.read),
    "openai_agents": Dialect(openai_agents.recognises, openai_agents.read),
    "vercel": Dialect(vercel.recognises, vercel.read),
    "openinference": Dialect(openinference.recognises, openinference.read),
    "genai": Dialect(genai.recognises, genai.read),
}
"""By name. The one that recognises most spans of a trace reads all of it, of equals the first: of a
framework and its model's client, instrumented in two conventions, the framework tells more."""


def is_telling(span: Span) -> bool:
    """Whether any dialect has a use for the span beyond its place in the trace."""
    for dialect in DIALECTS.values():  # noqa: SIM110 -- twice as quick as a generator
        if dialect.recognises(span):
            return True
    return False


def read_trace(spans: Sequence[Span]) -> Sequence[AgentRun] | Failure:
    """Read the runs of one trace; never raises.

    Args:
        spans: All that is known of the trace, each span once, in any order.

    Returns:
        Its runs; none where no span tells of an agent. Or a `Failure` of stage `decode`.
    """
    ordered = sorted(spans, key=_in_time)
    counts = [(sum(map(each.recognises, ordered)), each) for each in DIALECTS.values()]
    count, dialect = max(counts, key=lambda counted: counted[0])
    try:
        return dialect.read(ordered) if count else ()
    except DecodeError as error:
        return error.failure
    except ValidationError as error:
        return refusal_of(error)


def _in_time(span: Span) -> tuple[int, float]:
    """By start; of those that one tick of a coarse clock started, the first to end comes first."""
    return span.start_ns, inf if span.end_ns is None else span.end_ns

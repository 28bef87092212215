"""What of a run or of a trace was not understood; none of it holds a text of the run."""

from collections.abc import Iterator, Sequence
from itertools import islice

from live_scoring.core.quote import listed, printable, quoted
from live_scoring.core.run import AgentRun, ToolInvocation
from live_scoring.dialects import is_telling
from live_scoring.telemetry.span import Span

_DOUBTS_TOLD = 20
"""Of one run's tool calls."""


def doubts_about_run(run: AgentRun) -> Iterator[str]:
    """What a run leaves open."""
    calls = (doubt for call in run.invocations for doubt in _doubts_about_call(call))
    yield from islice(calls, _DOUBTS_TOLD)
    more = sum(1 for _ in calls)
    if more:
        yield f"tool calls: {more} more like these"
    if not run.joined_text and not run.invocations:
        yield "output: says nothing and calls nothing"
    if run.timestamp is None:
        yield "timestamp: is not told; the record's own time counts"


def _doubts_about_call(call: ToolInvocation) -> Iterator[str]:
    where = f"tool call {printable(f'{call.name:.80}') or 'without a name'}"
    if call.id is not None:
        where += f" ({printable(f'{call.id:.80}')})"
    if isinstance(call.args, str):
        yield f"{where}: its arguments are no JSON object"
    if call.state == "call":
        yield f"{where}: has no result"
    elif call.state == "partial-call":
        yield f"{where}: its arguments were still streaming"


def doubts_about_trace(spans: Sequence[Span]) -> Iterator[str]:
    """What the spans of a trace leave open."""
    own = [span for span in spans if not span.is_log]
    known = {span.span_id for span in own}
    if own and not any(span.parent_id is None for span in own):
        lost = next((s.parent_id for s in own if s.parent_id not in known), None)
        yield f"trace: its root did not come; missing is {quoted(str(lost))}"
    unread = [span.name for span in spans if not is_telling(span)]
    if unread and len(unread) < len(spans):
        names = listed([printable(name) for name in dict.fromkeys(unread)])
        yield f"spans: {len(unread)} of {len(spans)} tell of no agent, model or tool: {names}"

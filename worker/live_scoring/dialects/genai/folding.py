"""Log records folded into the spans that they tell of."""

from collections.abc import Sequence
from dataclasses import replace

from live_scoring.telemetry.span import Span, SpanEvent

DETAILS = "gen_ai.client.inference.operation.details"
"""What a model was given and said, with the attributes that a span of it has."""
MESSAGES = frozenset(
    {
        "gen_ai.system.message",
        "gen_ai.user.message",
        "gen_ai.assistant.message",
        "gen_ai.tool.message",
        "gen_ai.choice",
    }
)
"""One message each, up to version 1.36."""


def is_read_log(span: Span) -> bool:
    """Whether a log record tells what a model was given or said."""
    return span.name == DETAILS or span.name in MESSAGES


def folded(spans: Sequence[Span]) -> Sequence[Span]:
    """Spans only, by start: a log record adds to its span, or makes one where that is lost."""
    logs: dict[str, list[Span]] = {}
    for span in spans:
        if span.is_log and is_read_log(span):
            logs.setdefault(span.parent_id or span.span_id, []).append(span)
    own = [span for span in spans if not span.is_log]
    if not logs:
        return own
    known = {span.span_id for span in own}
    lost = [_stand_in(span_id, logs[span_id]) for span_id in logs if span_id not in known]
    whole = [_with_logs(span, logs.get(span.span_id, ())) for span in (*own, *lost)]
    return sorted(whole, key=lambda span: span.start_ns)


def _stand_in(span_id: str, logs: Sequence[Span]) -> Span:
    """A model's span of which only the log records came; its parent is not known."""
    times = [log.start_ns for log in logs]
    return replace(
        logs[0],
        span_id=span_id,
        parent_id="",
        start_ns=min(times),
        end_ns=max(times),
        attributes={"gen_ai.operation.name": "chat"},
    )


def _with_logs(span: Span, logs: Sequence[Span]) -> Span:
    if not logs:
        return span
    told = dict(span.attributes)
    for log in logs:
        for key, value in log.attributes.items() if log.name == DETAILS else ():
            told.setdefault(key, value)
    events = (SpanEvent(log.name, log.start_ns, log.attributes) for log in logs)
    return replace(span, attributes=told, events=(*span.events, *events))

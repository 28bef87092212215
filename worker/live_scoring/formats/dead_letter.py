"""Dead letters: the raw bytes of a record that could not be used, and in headers why."""

from live_scoring.core.run import to_utf8
from live_scoring.core.score import Failure, Source
from live_scoring.core.wire import to_rfc3339


def dead_letter_headers(failure: Failure, source: Source) -> list[tuple[str, bytes]]:
    """What failed and where the record came from, so that repeats of it can be told."""
    facts = {
        "stage": failure.stage,
        "reason": failure.reason,
        "detail": failure.detail,
        "topic": source.topic,
        "partition": str(source.partition),
        "offset": str(source.offset),
        "timestamp": to_rfc3339(source.timestamp_ms),
    }
    return [(name, to_utf8(fact)) for name, fact in facts.items()]

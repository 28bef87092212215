"""What of one partition lies in a span, and what of it is not as one might expect."""

from collections.abc import Iterator
from dataclasses import dataclass

from live_scoring.adapters.kafka import Extent, TopicPartition
from live_scoring.core.wire import to_rfc3339
from live_scoring.replay.span import Span


@dataclass(frozen=True, slots=True)
class Stretch:
    """Offsets of one partition."""

    first: int
    end: int
    """The offset after the last."""
    notes: tuple[str, ...] = ()
    """What a reader should know of it."""


def written_place(at: TopicPartition) -> str:
    """A partition in messages and checkpoints."""
    return f"{at.topic}/{at.partition}"


def stretch_of(extent: Extent, span: Span, partition: int, first_since: int) -> Stretch:
    """The stretch of a partition that holds all records of a span.

    Args:
        extent: What the partition holds.
        span: What is asked for; must name the partition if it names any.
        partition: Its number.
        first_since: An offset before which no record is of the span's time.
    """
    wanted, end = (0, None) if span.offsets is None else span.offsets[partition]
    first = min(max(extent.first, first_since, wanted), extent.end)
    last = extent.end if end is None else min(end, extent.end)
    return Stretch(first, max(first, last), tuple(_notes(extent, span, wanted, (first, last, end))))


def _notes(
    extent: Extent, span: Span, wanted: int, bounds: tuple[int, int, int | None]
) -> Iterator[str]:
    first, last, end = bounds
    if extent.first == extent.end:
        gone = f"; what stood before offset {extent.first} is gone" if extent.first else ""
        yield f"holds no record{gone}"
        return
    begins_early = span.from_ms is None or _is_before(span.from_ms, extent.first_ms)
    if extent.first > wanted and begins_early:
        yield f"begins at offset {extent.first}; what stood before is gone"
    elif span.from_ms is not None and begins_early and extent.first_ms is not None:
        yield f"its first record is of {to_rfc3339(extent.first_ms)}, after --from"
    if first >= last:
        yield "has no record in the range"
    elif end is not None and end > extent.end:
        yield f"ends at offset {extent.end - 1}, before the last one asked for"


def _is_before(moment_ms: int, first_ms: int | None) -> bool:
    return first_ms is not None and moment_ms < first_ms

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
    wanted, until = (0, None) if span.offsets is None else span.offsets[partition]
    first = min(max(extent.first, first_since, wanted), extent.end)
    end = max(first, extent.end if until is None else min(until, extent.end))
    if extent.first == extent.end:
        return Stretch(first, end, (_emptiness(extent),))
    notes = [*_beginning(extent, span, wanted)]
    if first == end:
        notes.append("has no record in the range")
    elif until is not None and until > extent.end:
        notes.append(f"ends at offset {extent.end - 1}, before the last one asked for")
    return Stretch(first, end, tuple(notes))


def _emptiness(extent: Extent) -> str:
    gone = f"; what stood before offset {extent.first} is gone" if extent.first else ""
    return f"holds no record{gone}"


def _beginning(extent: Extent, span: Span, wanted: int) -> Iterator[str]:
    """That the partition begins after what was asked for, if so."""
    first_ms, from_ms = extent.first_ms, span.from_ms
    if from_ms is not None and (first_ms is None or first_ms <= from_ms):
        return
    if extent.first > wanted:
        yield f"begins at offset {extent.first}; what stood before is gone"
    elif from_ms is not None and first_ms is not None:
        yield f"its first record is of {to_rfc3339(first_ms)}, after --from"

import pytest

from live_scoring.adapters.kafka import Extent
from live_scoring.replay.span import Span
from live_scoring.replay.stretches import Stretch, stretch_of

FIRST_MS = 1_793_534_402_000
EXTENT = Extent(first=100, end=200, first_ms=FIRST_MS)
WHOLE = Extent(first=0, end=200, first_ms=FIRST_MS)
GONE = "begins at offset 100; what stood before is gone"


def offsets(first: int, end: int | None) -> Span:
    return Span(offsets={0: (first, end)})


@pytest.mark.parametrize(
    ("extent", "span", "since", "stretch"),
    [
        (WHOLE, Span(), 0, Stretch(0, 200)),
        (EXTENT, Span(), 100, Stretch(100, 200, (GONE,))),
        (Extent(0, 0, None), Span(), 0, Stretch(0, 0, ("holds no record",))),
        (
            Extent(7, 7, None),
            Span(),
            7,
            Stretch(7, 7, ("holds no record; what stood before offset 7 is gone",)),
        ),
        (EXTENT, Span(from_ms=FIRST_MS + 1), 150, Stretch(150, 200)),
        (EXTENT, Span(from_ms=FIRST_MS - 1), 100, Stretch(100, 200, (GONE,))),
        (
            WHOLE,
            Span(from_ms=FIRST_MS - 1),
            0,
            Stretch(0, 200, ("its first record is of 2026-11-01T12:00:02.000Z, after --from",)),
        ),
        (
            WHOLE,
            Span(from_ms=FIRST_MS + 1),
            200,
            Stretch(200, 200, ("has no record in the range",)),
        ),
        (EXTENT, offsets(120, 130), 100, Stretch(120, 130)),
        (EXTENT, offsets(90, 130), 100, Stretch(100, 130, (GONE,))),
        (
            WHOLE,
            offsets(120, 300),
            0,
            Stretch(120, 200, ("ends at offset 199, before the last one asked for",)),
        ),
        (WHOLE, offsets(300, None), 0, Stretch(200, 200, ("has no record in the range",))),
    ],
)
def test_a_stretch_is_what_is_there_of_what_was_asked_for_and_says_what_is_not(
    extent: Extent, span: Span, since: int, stretch: Stretch
) -> None:
    assert stretch_of(extent, span, 0, since) == stretch

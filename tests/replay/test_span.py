import pytest

from live_scoring.core.errors import LiveScoringError
from live_scoring.replay.span import Span, parse_span

NOW_MS = 1_793_534_402_000
HOUR_MS = 3_600_000


def test_without_bounds_a_span_is_all_there_is() -> None:
    assert parse_span(None, None, None, NOW_MS) == Span()
    assert Span().admits(0)


def test_a_span_begins_at_its_first_time_and_ends_before_its_last() -> None:
    span = parse_span("2h", "2026-11-01T11:00:02Z", None, NOW_MS)
    assert span == Span(NOW_MS - 2 * HOUR_MS, NOW_MS - HOUR_MS)
    admitted = [span.admits(NOW_MS - age_ms) for age_ms in (2 * HOUR_MS + 1, 2 * HOUR_MS, HOUR_MS)]
    assert admitted == [False, True, False]


def test_a_record_whose_time_is_not_known_is_admitted_for_now() -> None:
    assert Span(from_ms=1, to_ms=2).admits(None)


def test_offsets_are_written_with_both_ends_and_may_be_open() -> None:
    span = parse_span(None, None, "0:100-200, 3:5-", NOW_MS)
    assert span == Span(offsets={0: (100, 201), 3: (5, None)})


@pytest.mark.parametrize(
    ("since", "until", "offsets", "sentence"),
    [
        ("1h", "2h", None, "--from: .* lies after --to, .*; swap them"),
        ("1h", None, "0:1-2", "--offsets: excludes --from and --to; give one or the other"),
        (None, None, "0", "--offsets: '0' is no range; write partition:first-last such as"),
        (None, None, "0:9-8", "--offsets: 0:9-8 ends before it begins; swap the two"),
        (None, None, "0:1-2,0:3-4", "--offsets: partition 0 stands twice; give one range of it"),
    ],
)
def test_a_span_that_cannot_be_is_told_with_the_remedy(
    since: str | None, until: str | None, offsets: str | None, sentence: str
) -> None:
    with pytest.raises(LiveScoringError, match=sentence):
        parse_span(since, until, offsets, NOW_MS)

import pytest

from live_scoring.config.moments import RangeError, parse_moment, parse_range

NOW_MS = 1_793_534_402_000
"""2026-11-01T12:00:02Z."""


@pytest.mark.parametrize(
    ("text", "moment_ms"),
    [
        ("2026-11-01T12:00:02Z", NOW_MS),
        ("2026-11-01T13:00:02.001+01:00", NOW_MS + 1),
        ("2026-11-01T12:00:02", NOW_MS),
        ("2026-11-01", NOW_MS - 12 * 3_600_000 - 2_000),
        ("1h", NOW_MS - 3_600_000),
        ("7d", NOW_MS - 7 * 86_400_000),
    ],
)
def test_a_moment_is_a_time_or_an_age(text: str, moment_ms: int) -> None:
    assert parse_moment(text, NOW_MS) == moment_ms


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "7", "-1h"])
def test_what_is_no_moment_is_told_with_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no time; write one such as 2026-11-01T12:00:00Z"):
        parse_moment(text, NOW_MS)


def test_a_range_may_be_open_on_either_side() -> None:
    assert parse_range(None, None, NOW_MS) == (None, None)
    assert parse_range("1s", None, NOW_MS) == (NOW_MS - 1_000, None)
    assert parse_range("2s", "1s", NOW_MS) == (NOW_MS - 2_000, NOW_MS - 1_000)


def test_a_range_that_cannot_be_names_the_option() -> None:
    for since, until, sentence in (
        ("soon", None, "--from: 'soon' is no time"),
        (None, "soon", "--to: 'soon' is no time"),
        ("1s", "2s", "--from: .* lies after --to, .*; swap them"),
    ):
        with pytest.raises(RangeError, match=sentence):
            parse_range(since, until, NOW_MS)

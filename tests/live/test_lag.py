"""How old the last record is that a loop has read."""

from dataclasses import replace

import pytest

from live_scoring.live.lag import age_ms
from tests.live.fakes import NOW_MS
from tests.live.intakes import record_of

DAY_MS = 86_400_000


@pytest.mark.parametrize(
    ("ages_ms", "age"),
    [
        ([9_000, 5_000], 5_000),
        ([9_000, 5_000, -DAY_MS, -DAY_MS], 5_000),
        ([9_000, -30_000], 0),
        ([-DAY_MS], 0),
    ],
    ids=["last", "dated-ahead", "clock-a-little-ahead", "nothing-to-believe"],
)
def test_the_age_is_that_of_the_last_record_that_is_not_dated_ahead(
    ages_ms: list[int], age: int
) -> None:
    records = [replace(record_of(b""), timestamp=NOW_MS - age_ms) for age_ms in ages_ms]
    assert age_ms(records, NOW_MS) == age

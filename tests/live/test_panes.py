"""Keeping panes: written when due, tried again, given up without harm."""

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from live_scoring.adapters.kafka import Outgoing, Publisher, Refused
from live_scoring.adapters.metrics import Build, Known, Metrics
from live_scoring.config import WorkerConfig
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.pane import Sheet
from live_scoring.formats.pane_sheet import decode_sheet
from live_scoring.live.panes import PaneKeeper
from live_scoring.live.services import Services
from tests.live.fakes import NOBODY, NOW_MS, FakeClock
from tests.live.test_draft import Drafting, drafting

HOUR_MS = 3_600_000
CONFIG = WorkerConfig.model_validate({"kafka": {"bootstrap_servers": NOBODY}, "panes_every": 3})


class FakePublisher(Publisher):
    """Takes records, for so many seconds, or refuses them."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(CONFIG.kafka, lambda _: None)
        self.taken: list[Outgoing] = []
        self.seconds = 0.0
        self.refuses = False
        self.error: LiveScoringError | None = None
        self._clock = clock

    async def publish(
        self,
        topic: str,
        records: Iterable[Outgoing],
        may_publish: Callable[[], bool] = lambda: True,
    ) -> list[Refused]:
        if self.error is not None:
            raise self.error
        assert topic == "agent-panes"
        self._clock.monotonic_seconds += self.seconds
        found = list(records)
        if self.refuses:
            return [Refused(record, "too large") for record in found]
        self.taken += found if may_publish() else []
        return []


class Keeping:
    """A keeper, and a partition whose scores it keeps."""

    def __init__(self, topic: str | None = "agent-panes", **caps: Any) -> None:
        self.clock = FakeClock()
        self.publisher = FakePublisher(self.clock)
        metrics = Metrics(Known((), (), (), ()), Build("0", "0"))
        services = Services(CONFIG, self.publisher, metrics, self.clock.as_clock())
        self.keeper = PaneKeeper(services, topic, "writer")
        self.one: Drafting = drafting(**caps)
        self._runs = 0

    def score(self, number: int, *, is_held: bool = True) -> None:
        """Count scores, then keep what is due."""
        for _ in range(number):
            self.one.add(f"run-{self._runs}")
            self._runs += 1
        asyncio.run(self.keeper.keep(self.one.board, 0, lambda: is_held))

    @property
    def stretches(self) -> list[tuple[int, int]]:
        sheets = [decode_sheet(record.value) for record in self.publisher.taken]
        found = [sheet.stretch for sheet in sheets if isinstance(sheet, Sheet)]
        return [(stretch.first_offset, stretch.next_offset) for stretch in found]


def test_stretches_are_written_when_due_one_after_the_other() -> None:
    keeping = Keeping()
    keeping.score(2)
    assert keeping.stretches == []
    for number in (98, 100, 120):
        keeping.score(number)
    assert keeping.stretches == [(0, 100), (100, 200), (200, 320)]


def test_what_was_not_confirmed_in_time_is_written_later_and_with_more() -> None:
    keeping = Keeping()
    keeping.publisher.seconds = 6
    keeping.score(100)
    assert keeping.stretches == []
    keeping.publisher.seconds = 0
    keeping.score(1)
    assert keeping.stretches == []
    keeping.clock.monotonic_seconds += 30
    keeping.score(1)
    assert keeping.stretches == [(0, 102)]


def test_a_worker_that_the_group_has_not_heard_of_writes_nothing() -> None:
    keeping = Keeping()
    keeping.score(100, is_held=False)
    assert keeping.stretches == []
    assert keeping.one.share.draft is not None


def test_a_draft_that_lacks_what_was_late_by_a_clock_ahead_is_not_written() -> None:
    keeping = Keeping()
    assert list(keeping.one.board.judge(NOW_MS + HOUR_MS)) == []
    keeping.score(100)  # the clock is right again, and the windows are not yet
    assert keeping.stretches == []
    keeping.one.board.turn_back(NOW_MS)
    keeping.score(1)
    assert keeping.stretches == [(0, 101)]


def test_sheets_bear_the_time_by_which_their_scores_were_late_or_not() -> None:
    keeping = Keeping()
    keeping.score(100)
    assert {record.timestamp_ms for record in keeping.publisher.taken} == {NOW_MS}


def test_a_stretch_that_is_never_confirmed_in_time_is_given_up_in_the_end() -> None:
    keeping = Keeping()
    keeping.publisher.seconds = 6
    keeping.score(100)
    for _ in range(100):
        assert keeping.one.share.draft is not None
        keeping.clock.monotonic_seconds += 30
        keeping.score(1)
    assert keeping.one.share.draft is None


def test_a_topic_that_takes_no_record_of_that_size_is_left_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    keeping = Keeping()
    keeping.publisher.refuses = True
    keeping.score(100)
    assert not keeping.keeper.is_on
    (line,) = caplog.records
    assert re.fullmatch(
        r"topic agent-panes: a record of [0-9,]+ bytes is too large; raise its max.message.bytes",
        vars(line)["error"],
    )
    keeping.score(1)
    assert keeping.one.share.draft is None


def test_a_topic_that_cannot_be_written_to_is_left_alone() -> None:
    keeping = Keeping()
    keeping.publisher.error = LiveScoringError("no right to")
    keeping.score(100)
    assert not keeping.keeper.is_on
    keeping.score(1)
    assert keeping.one.share.draft is None


def test_a_partition_with_agents_beyond_the_cap_keeps_no_panes() -> None:
    keeping = Keeping(max_agents=0)
    keeping.score(1)
    assert keeping.one.share.draft is None
    assert keeping.stretches == []

"""A draft: one stretch of scores, and when it is worth being written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aiokafka import ConsumerRecord

from live_scoring.adapters.kafka import TopicPartition
from live_scoring.core.pane import RUNS, Sheet
from live_scoring.live.board import Board, Share
from live_scoring.live.chain import Sheets
from live_scoring.live.draft import Draft
from tests.live.boards import NOW_MS, agent_plan, board_of, score_of

AT = TopicPartition("agent-scores", 0)


def record(offset: int, timestamp_ms: int = NOW_MS) -> ConsumerRecord[bytes, bytes]:
    return ConsumerRecord(
        topic=AT.topic,
        partition=AT.partition,
        offset=offset,
        timestamp=timestamp_ms,
        timestamp_type=0,
        key=b"",
        value=b"",
        checksum=None,
        serialized_key_size=0,
        serialized_value_size=0,
        headers=(),
    )


@dataclass
class Drafting:
    """A board of which every score goes into a draft."""

    board: Board

    def __post_init__(self) -> None:
        self.share.draft = Draft(0, "writer")

    @property
    def share(self) -> Share:
        return self.board.shares[0]

    @property
    def draft(self) -> Draft:
        assert self.share.draft is not None
        return self.share.draft

    def add(self, run_id: str = "run-1", value: float | None = 1.0, **fields: Any) -> None:
        self.draft.pass_by(record(self.share.next_offset))
        self.share.next_offset += 1
        self.board.add(0, score_of(run_id, value, **fields))

    def sheets(self) -> Iterator[Sheet]:
        return (sheet for sheet in self.draft.sheets(NOW_MS) if sheet is not None)


def drafting(*plans: Any, **caps: int) -> Drafting:
    return Drafting(board_of(*plans, **caps))


def tallies(board: Board) -> list[object]:
    return [(r.agent_id, r.group, r.window, r.tallies) for r in board.reports()]


def test_what_a_board_has_counted_another_board_is_given() -> None:
    one = drafting()
    for number in range(10):
        one.add(f"run-{number}", number / 10 or None)
        one.add(f"run-{number}", number / 10 or None)
    one.add("none", None, outcome="not_applicable")
    sheets = Sheets()
    for sheet in one.sheets():
        sheets.add(sheet)
    other = board_of()
    (link,) = sheets.chain(0, other.plan)
    for sheet in link.sheets:
        for agent in sheet.agents:
            other.include(other.shares[0], agent)
    assert tallies(other) == tallies(one.board)
    assert other.add(0, score_of("run-3")) == "duplicate"
    assert other.add(0, score_of("none")) == "duplicate"


def test_a_draft_covers_every_record_whatever_became_of_it() -> None:
    one = drafting()
    one.draft.pass_by(record(0, NOW_MS - 9))
    one.share.next_offset = 1
    one.add(replay="backfill")
    one.add()
    (sheet,) = one.sheets()
    stretch = sheet.stretch
    assert (stretch.first_offset, stretch.next_offset, len(one.draft)) == (0, 3, 3)
    assert (stretch.begins_ms, stretch.ends_ms) == (NOW_MS - 9, NOW_MS)
    assert len(one.draft.after()) == 0


def test_scores_that_the_plan_does_not_ask_for_are_named() -> None:
    one = drafting()
    one.add(fingerprint="another")
    one.add(agent_id="unplanned")
    (sheet,) = one.sheets()
    assert {(agent, mark) for agent, _, mark in sheet.stretch.ignored} == {
        ("agent-1", "another"),
        ("unplanned", score_of().fingerprint),
    }
    assert not sheet.agents


def test_a_score_without_a_window_for_lack_of_room_ends_a_draft() -> None:
    one = drafting(agent_plan("agent-*"), max_agents=1)
    one.add()
    assert not one.draft.is_broken
    one.add(agent_id="agent-2")
    assert one.draft.is_broken


def test_a_draft_is_due_with_so_many_scores_and_later_where_many_agents_share_them() -> None:
    one = drafting(agent_plan("agent-*"))
    for number in range(150):
        one.add(f"run-{number}")
    assert one.draft.is_due(150)
    assert not one.draft.is_due(151)
    one.add(agent_id="agent-2")
    assert not one.draft.is_due(150)
    for number in range(150, 199):
        one.add(f"run-{number}")
    assert one.draft.is_due(150)


def test_a_long_stretch_comes_in_sheets_of_which_one_is_the_last() -> None:
    one = drafting()
    for number in range(RUNS + 10):
        one.draft.take(score_of(f"run-{number}"), ("agent-1", ""), agent_plan())
    one.add()
    found = list(one.sheets())
    assert [(sheet.number, sheet.is_last) for sheet in found] == [(0, False), (1, True)]

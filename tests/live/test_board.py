"""What a worker may speak for, and when a verdict changes."""

from dataclasses import replace

import pytest
from msgspec import structs

from live_scoring.core.pipeline import Plan
from live_scoring.core.transition import Transition
from live_scoring.live.board import Board, Share
from tests.live.boards import MINUTE, NOW_MS, agent_plan, board_of, score_of, scorer


def transitions(board: Board, now_ms: int = NOW_MS) -> list[Transition]:
    found = []
    for _, agent, transition in board.judge(now_ms):
        agent.standing[transition.window] = transition
        found.append(transition)
    return found


def states(board: Board) -> dict[str, str | None]:
    return {
        f"{r.agent_id}{r.group and '@' + r.group}": r.verdict.state if r.verdict else None
        for r in board.reports()
    }


def test_an_agent_named_exactly_is_no_data_from_the_start_and_announces_nothing() -> None:
    board = board_of()
    assert transitions(board) == []
    assert states(board) == {"agent-1": "no_data"}


def test_an_agent_of_a_glob_is_shown_from_its_first_score() -> None:
    board = board_of(agent_plan("agent-*"))
    assert states(board) == {}
    board.add(0, score_of())
    assert [t.verdict.state for t in transitions(board)] == ["passed"]
    assert states(board) == {"agent-1": "passed"}


def test_a_transition_carries_what_came_before_and_how_far_was_judged() -> None:
    board = board_of()
    board.add(0, score_of())
    transitions(board)
    board.shares[0].next_offset = 42
    board.add(0, score_of("run-2", 0.0, reason="no sun", trace_id="t-2"))
    (change,) = transitions(board)
    assert (change.previous, change.verdict.state, change.scores_offset) == ("passed", "failed", 42)
    (example,) = change.examples["sunny"]
    assert (example.run_id, example.trace_id, example.reason) == ("run-2", "t-2", "no sun")


def test_an_unchanged_verdict_is_announced_once() -> None:
    board = board_of()
    board.add(0, score_of())
    assert len(transitions(board)) == 1
    board.add(0, score_of("run-2"))
    assert transitions(board, NOW_MS + 1_000) == []


def test_a_transition_that_was_not_published_is_announced_again() -> None:
    board = board_of()
    board.add(0, score_of())
    ((_, agent, _),) = board.judge(NOW_MS)
    agent.recheck()
    assert len(transitions(board)) == 1


def test_a_quiet_agent_goes_to_no_data() -> None:
    board = board_of()
    board.add(0, score_of())
    transitions(board)
    (change,) = transitions(board, NOW_MS + 61_000)
    assert (change.previous, change.verdict.state) == ("passed", "no_data")


def test_examples_that_left_the_window_are_not_shown() -> None:
    board = board_of()
    board.add(0, score_of("old", 0.0, run_timestamp_ms=NOW_MS - 50_000))
    transitions(board)
    board.add(0, score_of("other", scorer="close", fingerprint=board_close(), kind="scorer"))
    for change in transitions(board, NOW_MS + 30_000):
        assert change.verdict.state == "passed"
        assert change.examples == {}


def board_close() -> str:
    return next(s.fingerprint for s in agent_plan().scorers if s.name == "close")


def test_scores_of_another_fingerprint_or_of_a_replay_are_left_out() -> None:
    board = board_of()
    assert board.add(0, score_of(fingerprint="000000000000")) == "stale_scorer"
    assert board.add(0, score_of(scorer="gone")) == "stale_scorer"
    assert board.add(0, score_of(agent_id="unplanned")) == "stale_scorer"
    assert board.add(0, score_of(replay="backfill")) == "replay"
    assert transitions(board) == []


def test_a_run_is_counted_once_and_late_ones_not_at_all() -> None:
    board = board_of()
    assert board.add(0, score_of()) == "counted"
    assert board.add(0, score_of()) == "duplicate"
    assert board.add(0, score_of("late", run_timestamp_ms=NOW_MS - 120_000)) == "late"
    (report,) = board.reports()
    assert report.tallies is not None
    assert report.tallies["sunny"].scored == 1


def test_a_run_dated_more_than_a_longest_window_after_its_scoring_takes_no_room() -> None:
    board = board_of(agent_plan("agent-*"), forget_after_ms=120_000)
    ahead = NOW_MS + MINUTE.length_ms
    assert board.add(0, score_of("soon", run_timestamp_ms=ahead)) == "counted"
    for number, far in enumerate((ahead + 1, 32_472_144_000_000, 2**62)):
        score = score_of(f"run-{number}", run_timestamp_ms=far)
        assert board.add(0, score) == "early"
        assert board.add(0, structs.replace(score, outcome="not_applicable")) == "early"
    list(board.judge(NOW_MS + 600_000))
    assert [tracked.agent_id for _, tracked in board.forget(NOW_MS + 600_000)] == ["agent-1"]


def test_what_was_not_applicable_counts_nowhere_and_neither_does_its_repeat() -> None:
    board = board_of()
    assert board.add(0, score_of(value=None, outcome="not_applicable")) == "counted"
    assert board.add(0, score_of(value=0.0)) == "duplicate"
    assert transitions(board) == []


def test_a_dropped_partition_is_silent_at_once() -> None:
    board = board_of()
    board.add(0, score_of())
    board.drop(0)
    assert transitions(board) == []
    assert states(board) == {}


def test_a_partition_that_comes_back_keeps_its_panes() -> None:
    board = board_of()
    board.add(0, score_of())
    share = board.drop(0)
    assert share is not None
    board.take(0, share, ())
    share.is_rebuilding = False
    (report,) = board.reports()
    assert report.tallies is not None
    assert report.tallies["sunny"].scored == 1


def test_a_partition_that_comes_back_announces_nothing_before_it_has_caught_up() -> None:
    board = board_of()
    board.add(0, score_of())
    (passed,) = transitions(board)
    share = board.drop(0)
    assert share is not None
    an_hour_later = NOW_MS + 3_600_000
    board.take(0, share, [passed])
    assert transitions(board, an_hour_later) == []
    board.add(0, score_of("run-2", run_timestamp_ms=an_hour_later, scored_at_ms=an_hour_later))
    share.is_rebuilding = False
    assert transitions(board, an_hour_later) == []
    assert states(board) == {"agent-1": "passed"}


def restarted() -> Board:
    """A board that is being rebuilt where a failed agent was."""
    first = board_of()
    first.add(0, score_of(value=0.0))
    (failed,) = transitions(first)
    board = board_of()
    board.take(0, Share(0), [failed])
    return board


def test_while_rebuilding_the_verdict_read_back_stands_and_nothing_is_announced() -> None:
    board = restarted()
    board.add(0, score_of())
    assert transitions(board) == []
    assert states(board) == {"agent-1": "failed"}
    assert [report.tallies for report in board.reports()] == [None]


def test_after_a_restart_the_same_verdict_is_not_announced_again() -> None:
    board = restarted()
    board.add(0, score_of(value=0.0))
    board.shares[0].is_rebuilding = False
    assert transitions(board) == []


def test_between_the_rebuilding_and_the_first_judgement_the_verdict_read_back_stands() -> None:
    board = restarted()
    board.add(0, score_of(value=0.0))
    board.shares[0].is_rebuilding = False
    assert states(board) == {"agent-1": "failed"}


def test_of_two_verdicts_read_back_the_one_judged_further_holds() -> None:
    first = board_of()
    first.add(0, score_of(value=0.0))
    (failed,) = transitions(first)
    newer = replace(failed, scores_offset=9)
    older = replace(failed, scores_offset=3, previous="scored")
    board = board_of()
    board.take(0, Share(0, is_rebuilding=False), [newer, older])
    tracked = board.shares[0].agents["agent-1", ""]
    assert tracked.standing["1m"].scores_offset == 9


def test_agents_beyond_the_cap_have_no_window() -> None:
    board = board_of(agent_plan("agent-*"), max_agents=1)
    assert board.add(0, score_of()) == "counted"
    assert board.add(0, score_of(agent_id="agent-2")) is None


def test_groups_beyond_the_cap_have_no_window() -> None:
    board = board_of(agent_plan(split_by=("version",)), max_groups_per_agent=2)
    admitted = [board.add(0, score_of(group=group)) for group in ("v1", "v2", "v3")]
    assert admitted == ["counted", "counted", None]
    transitions(board)
    assert states(board) == {"agent-1@v1": "passed", "agent-1@v2": "passed"}


def test_an_agent_of_a_glob_is_forgotten_once_long_without_data() -> None:
    board = board_of(agent_plan("agent-*"), forget_after_ms=120_000)
    board.add(0, score_of())
    transitions(board)
    transitions(board, NOW_MS + 61_000)
    assert list(board.forget(NOW_MS + 100_000)) == []
    ((_, agent),) = board.forget(NOW_MS + 200_000)
    assert agent.agent_id == "agent-1"
    assert states(board) == {}


def test_an_agent_named_exactly_is_never_forgotten() -> None:
    board = board_of(forget_after_ms=1)
    assert list(board.forget(NOW_MS + 10**9)) == []
    assert states(board) == {"agent-1": "no_data"}


def test_an_agent_too_new_for_a_verdict_is_not_forgotten() -> None:
    board = board_of(agent_plan("agent-*", rules=()), forget_after_ms=120_000)
    board.add(0, score_of())
    assert list(board.forget(NOW_MS)) == []


def test_verdicts_read_back_that_are_too_old_bring_no_agent_of_a_glob_back() -> None:
    first = board_of()
    first.add(0, score_of())
    (passed,) = transitions(first)
    board = board_of(agent_plan("agent-*"), forget_after_ms=1_000)
    board.take(0, Share(0), [replace(passed, at_ms=NOW_MS - 2_000)])
    assert states(board) == {}


def test_a_verdict_that_is_dated_far_ahead_keeps_no_agent_of_a_glob() -> None:
    first = board_of()
    first.add(0, score_of())
    (passed,) = transitions(first)
    ahead = replace(passed, at_ms=NOW_MS + 10**12)
    board = board_of(agent_plan("agent-*"), forget_after_ms=3_600_000)
    board.take(0, Share(0), [ahead])
    assert states(board) == {}
    first = board_of(agent_plan("agent-*"), forget_after_ms=120_000)
    first.add(0, score_of())
    transitions(first)
    for _, agent, _ in first.judge(NOW_MS + 61_000):
        agent.standing[ahead.window] = ahead
    assert list(first.forget(NOW_MS + 100_000)) == []
    ((_, forgotten),) = first.forget(NOW_MS + 200_000)
    assert forgotten.agent_id == "agent-1"


def test_a_changed_bound_judges_the_same_scores_anew() -> None:
    board = board_of()
    board.add(0, score_of())
    (passed,) = transitions(board)
    strict = agent_plan(scorers=(scorer("other"), *agent_plan().scorers[1:]))
    board.plan = Plan((strict,))
    board.take(0, Share(0, is_rebuilding=False), [passed])
    assert board.add(0, score_of()) == "stale_scorer"
    assert [t.verdict.state for t in transitions(board)] == ["no_data"]


@pytest.mark.parametrize(
    ("begins_at_ms", "is_complete"),
    [(None, True), (NOW_MS - 60_000, True), (NOW_MS - 59_999, False)],
)
def test_a_log_that_begins_inside_a_window_is_shown(
    begins_at_ms: int | None, is_complete: bool
) -> None:
    board = board_of()
    board.shares[0].begins_at_ms = begins_at_ms
    assert board.complete() == {"1m": is_complete}


def test_a_clock_that_is_set_back_holds_the_windows_where_they_were() -> None:
    board, hour_ms = board_of(), 3_600_000
    board.add(0, score_of("before"))
    transitions(board)
    assert transitions(board, NOW_MS - hour_ms) == []
    board.add(0, score_of("by a clock that is right"))
    board.add(0, score_of("by the same clock", 0.0, run_timestamp_ms=NOW_MS - hour_ms))
    assert transitions(board, NOW_MS - hour_ms + 1_000) == []
    assert counted(board) == 2


def test_a_worker_started_after_its_clock_was_set_back_counts_by_that_clock() -> None:
    early_ms = NOW_MS - 3_600_000
    board = board_of(now_ms=early_ms)
    board.add(0, score_of("now, for whoever sent it"))
    board.add(0, score_of("by the same clock", run_timestamp_ms=early_ms))
    transitions(board, early_ms)
    assert counted(board) == 1


def counted(board: Board) -> int | None:
    (report,) = board.reports()
    return None if report.tallies is None else report.tallies["sunny"].scored


def test_windows_that_a_clock_ahead_has_moved_are_ahead_once_it_is_right() -> None:
    board = board_of()
    board.add(0, score_of())
    board.judge(NOW_MS)
    assert not board.has_overtaken(NOW_MS - 60_000)
    list(board.judge(NOW_MS + 3_600_000))
    assert not board.has_overtaken(NOW_MS + 3_600_000)
    assert board.has_overtaken(NOW_MS)
    board.turn_back(NOW_MS)
    assert not board.has_overtaken(NOW_MS)


def test_windows_that_hold_a_run_of_later_than_now_are_right_and_the_clock_is_not() -> None:
    board = board_of()
    board.add(0, score_of())
    list(board.judge(NOW_MS))
    assert not board.has_overtaken(NOW_MS - 3_600_000)
    assert board.has_overtaken(NOW_MS - 60_001) is False

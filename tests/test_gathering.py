"""Runs from records: whole ones, and those that come in spans."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.gathering import Find, GatheredRun, Gatherer, LongTrace, LookBack, Unreadable
from live_scoring.telemetry.traces import Bounds
from tests.fake_spans import READING, envelope_at, payload_of, piece, root

BOUNDS = Bounds(grace_ms=10, idle_ms=50, max_age_ms=200, max_open=4, max_spans=5, max_bytes=10_000)
NATIVE = json.dumps({"run_id": "whole", "agent_id": "agent-1", "output": []}).encode()


class Stream:
    """One partition's records, taken in the order in which they are sent."""

    def __init__(self, bounds: Bounds = BOUNDS, partition: int = 0, **options: Any) -> None:
        self.gatherer = Gatherer(READING, bounds, **options)
        self.offset = 0
        self.partition = partition

    def send(self, at_ms: int, *pieces: dict[str, Any]) -> Sequence[Find]:
        return self.send_raw(at_ms, payload_of(*pieces))

    def send_raw(self, at_ms: int, payload: bytes) -> Sequence[Find]:
        finds = list(self.gatherer.take(payload, envelope_at(self.offset, at_ms, self.partition)))
        self.offset += 1
        return finds


def texts(finds: Iterable[Find]) -> dict[str, str]:
    runs = [find.run for find in finds if isinstance(find, GatheredRun)]
    return {run.run_id: run.spaced_text for run in runs}


def test_a_whole_run_is_found_at_once() -> None:
    (find,) = Stream().send_raw(1, NATIVE)
    assert isinstance(find, GatheredRun)
    assert (find.run.run_id, find.format_name, find.first_offset) == ("whole", "native", 0)


def test_a_trace_is_closed_a_grace_after_its_root_ended_by_the_time_of_the_records() -> None:
    stream = Stream()
    stream.send(0, piece("t", "a", text="one"))
    stream.send(5, root("t"))
    assert not stream.send(9, piece("t", "b", text="two"))
    assert texts(stream.send(15, root("other"))) == {"t": "one two"}


def test_a_run_rests_on_its_first_record_and_comes_from_its_last() -> None:
    stream = Stream()
    stream.send(0, root("other"))
    stream.send(1, piece("t", "a", text="one"))
    stream.send(2, root("t"))
    (find,) = (f for f in stream.send(100, root("late")) if isinstance(f, GatheredRun))
    assert (find.first_offset, find.source.offset, find.source.timestamp_ms) == (1, 2, 2)
    assert find.format_name == "pieces"


def test_a_trace_whose_root_never_comes_is_closed_when_nothing_comes_and_counted() -> None:
    stream = Stream()
    stream.send(0, piece("t", "a", "elsewhere", text="one"))
    stream.send(40, piece("t", "b", "a", text="two"))
    assert not stream.send(89, root("other"))
    assert texts(stream.send(90, root("other"))) == {"t": "one two"}
    assert stream.gatherer.counts().incomplete == {"idle": 1}


@pytest.mark.parametrize("bad", [{}, {"is_bad": True}])
def test_a_long_trace_is_left_to_whoever_wants_to_read_it_aside(bad: dict[str, bool]) -> None:
    bounds = Bounds(grace_ms=10)
    spans = [root("t", text="one", **bad), *(piece("t", f"s{n}", text="more") for n in range(300))]
    streams = Stream(bounds), Stream(bounds, reads_aside=True)
    for stream in streams:
        stream.send(0, *spans)
        stream.send(0, root("short", text="two"))
    at_once, (long, *others) = (stream.send(10, root("other")) for stream in streams)
    assert isinstance(long, LongTrace)
    assert [*long.read(), *others] == at_once
    assert len(at_once) == 2


def test_log_records_that_tell_nothing_open_no_trace_and_are_counted() -> None:
    stream = Stream()
    stream.send(0, piece("t", "a", text="one"), piece("t", "log", "a", is_log=True))
    stream.send(1, *(piece(f"log-{n}", f"log-{n}", None, is_log=True) for n in range(10)))
    counts = stream.gatherer.counts()
    assert (counts.open, counts.no_agent) == (1, 11)


def test_a_span_said_again_is_no_news() -> None:
    stream = Stream()
    stream.send(0, piece("t", "a", text="one"))
    stream.send(40, piece("t", "a", text="one"))
    assert texts(stream.send(50, root("other"))) == {"t": "one"}


def test_a_trace_that_goes_on_and_on_is_closed_for_its_age() -> None:
    stream = Stream()
    for number, at_ms in enumerate(range(0, 200, 40)):
        assert not stream.send(at_ms, piece("t", f"s{number}", text=f"{number}"))
    assert texts(stream.send(200, root("other"))) == {"t": "0 1 2 3 4"}
    assert stream.gatherer.counts().incomplete == {"too_old": 1}


def test_a_root_that_has_not_ended_closes_nothing_until_it_has() -> None:
    stream = Stream()
    stream.send(0, root("t", text="began", end_ns=None))
    assert not stream.send(30, root("other"))
    stream.send(31, root("t", text="ended"))
    assert texts(stream.send(41, root("third"))) == {"t": "ended"}
    assert not stream.gatherer.counts().incomplete


def test_what_a_span_said_at_its_start_does_not_replace_what_it_said_at_its_end() -> None:
    stream = Stream()
    stream.send(0, root("t", text="ended"))
    stream.send(1, root("t", text="began", end_ns=None, more=1))
    assert texts(stream.send(10, root("other"))) == {"t": "ended"}


def test_a_late_span_is_dropped_and_counted_and_opens_no_second_run() -> None:
    stream = Stream()
    stream.send(0, root("t", text="one"))
    stream.send(10, root("other"))
    stream.send(11, piece("t", "a", text="late"))
    assert texts(stream.gatherer.flush()) == {}
    assert stream.gatherer.counts().late == 1


def test_a_closed_trace_is_remembered_from_its_last_telling_span_on() -> None:
    stream = Stream()
    stream.send(0, root("t", text="one"))
    stream.send(199, piece("t", "a", text="late"))
    stream.send(398, piece("t", "b", text="late too"))
    stream.send(598, piece("t", "c", text="anew"))
    assert texts(stream.gatherer.flush()) == {"t": "anew"}


def test_a_trace_without_an_agent_gives_no_run_and_is_counted() -> None:
    stream = Stream()
    stream.send(0, root("t"))
    assert not stream.send(10, root("other"))
    assert stream.gatherer.counts().no_agent == 1
    stream.send(11, piece("t", "a", text="an agent after all"))
    assert texts(stream.gatherer.flush()) == {"t": "an agent after all"}


def test_beyond_the_open_traces_that_may_be_the_oldest_is_closed() -> None:
    stream = Stream()
    for name in "abcd":
        assert not stream.send(0, root(name, text=name))
    assert texts(stream.send(0, root("e", text="e"))) == {"a": "a"}
    counts = stream.gatherer.counts()
    assert (counts.open, counts.incomplete) == (4, {"evicted": 1})


def test_beyond_the_bytes_that_open_traces_may_hold_the_oldest_is_closed() -> None:
    stream = Stream(replace(BOUNDS, max_open_bytes=1_000))
    assert not stream.send(0, root("a", text="x" * 500))
    assert texts(stream.send(0, root("b", text="y" * 500))) == {"a": "x" * 500}
    assert not stream.send(0, root("c", text="z"))


def test_a_record_is_held_whole_as_long_as_one_of_its_traces_is_open() -> None:
    stream = Stream(replace(BOUNDS, max_open_bytes=2_500))
    for number in range(3):
        slow = piece(f"slow-{number}", "a", text="slow")
        stream.send(20 * number, slow, root(f"quick-{number}", text="x" * 1_000))
    assert stream.gatherer.counts().incomplete == {"evicted": 1}
    assert stream.gatherer.held() == {("spans", 0): 1}


def test_no_more_traces_are_remembered_than_may_be_where_time_stands_still() -> None:
    stream = Stream(replace(BOUNDS, max_open=1, max_remembered=3))
    for name in "abcde":
        stream.send(0, root(name, text=name))
    stream.send(0, piece("c", "again", text="late"))
    assert stream.gatherer.counts().late == 1
    stream.send(0, piece("a", "again", text="forgotten"))
    assert stream.gatherer.counts().late == 1


def test_a_trace_of_too_many_spans_or_bytes_is_closed() -> None:
    stream = Stream()
    spans = [piece("t", f"{number}", text=f"{number}") for number in range(6)]
    assert texts(stream.send(0, *spans)) == {"t": "0 1 2 3 4 5"}
    assert texts(stream.send(0, root("big", text="x" * 10_000))) == {"big": "x" * 10_000}
    assert stream.gatherer.counts().incomplete == {"too_large": 2}


def test_a_trace_that_cannot_be_read_gives_out_its_records_once() -> None:
    stream = Stream()
    shared = payload_of(root("t", text="", is_bad=1), root("u", text="", is_bad=1))
    stream.send_raw(0, shared)
    first, second = stream.send(10, root("other"))
    assert isinstance(first, Unreadable)
    assert isinstance(second, Unreadable)
    assert first.failure.stage == second.failure.stage == "assemble"
    assert first.failure.reason == "no_content"
    assert first.failure.detail == "trace t: content is off"
    assert [payload for payload, _ in first.records] == [shared]
    assert second.records == ()


def test_a_record_that_cannot_be_read_is_found_at_once_and_moves_time() -> None:
    stream = Stream()
    stream.send(0, root("t", text="one"))
    run, bad = stream.send_raw(10, b"{")
    assert texts([run]) == {"t": "one"}
    assert isinstance(bad, Unreadable)
    assert bad.failure.stage == "decode"


def test_a_timestamp_from_the_future_moves_no_time() -> None:
    stream = Stream()
    stream.send(0, root("t", text="one"))
    future = stream.gatherer.take(payload_of(root("u")), envelope_at(1, 10**9), latest_ms=1000)
    assert not list(future)
    assert not stream.send(9, root("v"))


def test_a_partition_without_records_closes_what_is_due_by_the_time_waited() -> None:
    stream = Stream()
    stream.send(0, root("t", text="one"))
    assert not list(stream.gatherer.close_due(("spans", 0), 9))
    assert texts(stream.gatherer.close_due(("spans", 0), 10)) == {"t": "one"}


def test_an_open_trace_holds_its_first_record() -> None:
    stream = Stream()
    stream.send(0, root("a"))
    stream.send(1, root("b"))
    assert stream.gatherer.held() == {("spans", 0): 0}
    stream.send(10, root("c"))
    assert stream.gatherer.held() == {("spans", 0): 1}
    stream.gatherer.flush()
    assert stream.gatherer.held() == {}


def test_a_trace_open_in_two_partitions_is_counted_as_split() -> None:
    gatherer = Gatherer(READING, BOUNDS)
    for partition in (0, 1):
        for offset in (0, 1):
            spans = payload_of(piece("t", f"{partition}-{offset}", text="one"))
            gatherer.take(spans, envelope_at(offset, 0, partition))
    assert gatherer.counts().split == 1
    gatherer.flush()
    gatherer.take(payload_of(root("u")), envelope_at(2, 0))
    assert gatherer.counts().split == 1


def test_a_partition_that_is_not_kept_leaves_nothing_open() -> None:
    stream = Stream()
    stream.send(0, root("t", text="one"))
    stream.gatherer.keep([("spans", 0)])
    assert stream.gatherer.counts().open == 1
    stream.gatherer.keep([("spans", 3)])
    assert stream.gatherer.counts().open == 0
    assert list(stream.gatherer.flush()) == []


def test_the_first_spans_of_a_partition_ask_for_a_look_back() -> None:
    stream = Stream(looks_back=True)
    assert isinstance(stream.send_raw(1_000, NATIVE)[0], GatheredRun)
    assert stream.send(1_001, root("t", text="one")) == [LookBack(801)]


def test_what_began_before_the_look_back_is_told_no_more() -> None:
    stream = Stream(looks_back=True)
    stream.offset = 2
    stream.send(1_002, root("t", text="two"))
    stream.offset = 0
    assert not stream.send(1_000, piece("t", "a", text="one"))
    assert not stream.send_raw(1_001, NATIVE)
    stream.send(1_002, root("t", text="two"), root("u", text="new"))
    assert stream.gatherer.held() == {("spans", 0): 2}
    assert texts(stream.gatherer.flush()) == {"u": "new"}


Sent = tuple[int, str, int]
"""A time, a trace and one of its spans."""
SENT = st.tuples(st.integers(0, 9), st.sampled_from("tuv"), st.integers(0, 3))


@given(st.lists(SENT, max_size=30, unique_by=lambda sent: sent[1:]), st.randoms(), st.data())
def test_the_order_of_spans_and_their_repeats_change_no_run(
    sent: list[Sent], random: Any, data: st.DataObject
) -> None:
    repeats = data.draw(st.lists(st.sampled_from(sent), max_size=5)) if sent else []
    shuffled = [*sent, *repeats]
    random.shuffle(shuffled)
    assert _gather_all(shuffled) == _gather_all(sent)


def _gather_all(sent: Iterable[Sent]) -> dict[str, str]:
    stream = Stream()
    for _, trace_id, number in sent:
        stream.send(0, piece(trace_id, f"{number}", text=f"{number}"))
    return texts(stream.gatherer.flush())


def test_a_span_that_is_late_stays_late_when_a_worker_begins_anew() -> None:
    spans = [(0, root("t", text="one")), (20, root("u")), (199, piece("t", "a", text="late"))]
    records = [(1_000 + at_ms, payload_of(sent)) for at_ms, sent in spans]
    later = (1_500, payload_of(root("v")))
    assert _run(_looking_back(), [*records, later], 0, 4) == {(0, ("t", "one"))}
    assert _run(_looking_back(), [*records, later], 2, 4) == set()


STEP = st.tuples(
    st.integers(-20, 30),
    st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=3),
)
Steps = list[tuple[int, list[tuple[int, bool]]]]
"""By record: how much time has passed; for each span its number and whether it is telling."""


@given(st.lists(STEP, max_size=40), st.data())
def test_a_worker_that_begins_anew_where_the_last_one_held_finds_the_same_runs(
    steps: Steps, data: st.DataObject
) -> None:
    records = _records_of(steps)
    found = _run(_looking_back(), records, 0, len(records))
    crash = data.draw(st.integers(0, len(records)))
    commit = data.draw(st.integers(0, crash))
    last = _looking_back()
    before = _run(last, records, 0, commit)
    held = last.held().get(("spans", 0), commit)
    before |= _run(last, records, commit, crash)
    after = _run(_looking_back(), records, held, len(records))
    assert before | after == found
    assert {first for first, _ in after} <= set(range(held, len(records)))


def _looking_back() -> Gatherer:
    bounds = Bounds(grace_ms=10, idle_ms=50, max_age_ms=200)
    return Gatherer(READING, bounds, looks_back=True)


def _records_of(steps: Steps) -> list[tuple[int, bytes]]:
    """Spans of five traces at a time, each of which lasts a while and is then never seen again."""
    records: list[tuple[int, bytes]] = []
    at_ms = 1_000
    for passed, spans in steps:
        at_ms += passed
        pieces = [
            piece(
                f"{number}-{at_ms // 100}",
                f"{len(records)}",
                None if number == len(records) % 5 else "0",
                **({"text": f"{at_ms}"} if is_telling else {}),
            )
            for number, is_telling in spans
        ]
        records.append((at_ms, payload_of(*pieces)))
    return records


def _run(
    gatherer: Gatherer, records: Sequence[tuple[int, bytes]], start: int, end: int
) -> set[tuple[int, tuple[str, str]]]:
    """The runs and what each rests on first; looks back where it is asked to."""
    found, offset = set(), start
    while offset < end:
        at_ms, payload = records[offset]
        finds = list(gatherer.take(payload, envelope_at(offset, at_ms)))
        back = next((find for find in finds if isinstance(find, LookBack)), None)
        if back is not None:
            offset = next(n for n, (sent_ms, _) in enumerate(records) if sent_ms >= back.since_ms)
            continue
        found |= {
            (find.first_offset, (find.run.run_id, find.run.spaced_text))
            for find in finds
            if isinstance(find, GatheredRun)
        }
        offset += 1
    return found

"""How far offsets may be committed while records wait for scorers that call out."""

from hypothesis import given
from hypothesis import strategies as st

from live_scoring.adapters.kafka import TopicPartition
from live_scoring.core.score import Source
from live_scoring.live.pending import Pending
from tests.builders import SOURCE

AT = TopicPartition(SOURCE.topic, SOURCE.partition)
OTHER = TopicPartition(SOURCE.topic, SOURCE.partition + 1)


def record(offset: int, at: TopicPartition = AT) -> Source:
    return SOURCE._replace(partition=at.partition, offset=offset)


def begin(pending: Pending, source: Source) -> None:
    """A call about a run that rests on one record."""
    pending.begin(source, source.offset)


def test_without_calls_everything_taken_in_is_due_once() -> None:
    pending = Pending()
    pending.take(AT, 10)
    assert pending.due() == {AT: 10}
    pending.commit({AT: 10})
    assert pending.due() == {}


def test_what_the_group_did_not_take_stays_due() -> None:
    pending = Pending()
    pending.take(AT, 10)
    assert pending.due() == pending.due() == {AT: 10}


def test_nothing_from_the_lowest_waiting_record_on_is_due() -> None:
    pending = Pending()
    for offset in (3, 5):
        begin(pending, record(offset))
    pending.take(AT, 10)
    assert pending.due() == {AT: 3}
    pending.end(record(3))
    assert pending.due() == {AT: 5}
    pending.end(record(5))
    assert pending.due() == {AT: 10}


def test_a_record_waits_for_the_last_of_its_calls() -> None:
    pending = Pending()
    begin(pending, record(3))
    begin(pending, record(3))
    pending.take(AT, 4)
    assert len(pending) == 1
    assert not pending.end(record(3))
    assert pending.due() == {AT: 3}
    assert pending.end(record(3))
    assert pending.due() == {AT: 4}
    assert not pending


def test_nothing_from_the_first_record_of_a_waiting_run_on_is_due() -> None:
    pending = Pending()
    pending.begin(record(5), 4)
    pending.begin(record(5), 2)
    pending.take(AT, 10)
    assert pending.due() == {AT: 2}
    pending.end(record(5))
    assert pending.due() == {AT: 2}
    pending.end(record(5))
    assert pending.due() == {AT: 10}


def test_nothing_from_what_is_held_on_is_due() -> None:
    pending = Pending()
    begin(pending, record(5))
    pending.take(AT, 10)
    assert pending.due({AT: 3}) == {AT: 3}
    assert pending.due({AT: 7}) == {AT: 5}


def test_there_is_room_up_to_the_limit() -> None:
    pending = Pending(limit=10)
    begin(pending, record(0))
    assert pending.has_room(9)
    assert not pending.has_room(10)
    pending.end(record(0))
    assert pending.has_room(10)


def test_partitions_do_not_wait_for_each_other() -> None:
    pending = Pending()
    begin(pending, record(0))
    pending.take(AT, 5)
    pending.take(OTHER, 7)
    assert pending.due() == {AT: 0, OTHER: 7}


def test_a_lost_partition_is_forgotten_with_its_calls() -> None:
    pending = Pending()
    begin(pending, record(0))
    begin(pending, record(0, OTHER))
    pending.take(AT, 5)
    pending.take(OTHER, 7)
    pending.rest({AT})
    assert pending.due() == {OTHER: 0}
    assert len(pending) == 1


def test_a_partition_that_comes_back_is_committed_anew() -> None:
    pending = Pending()
    pending.take(AT, 5)
    pending.commit({AT: 5})
    pending.rest({AT})
    pending.take(AT, 5)
    assert pending.due() == {AT: 5}


def test_a_partition_that_comes_straight_back_is_resumed_after_what_was_taken_in() -> None:
    pending = Pending()
    pending.take(AT, 5)
    pending.commit(pending.due({AT: 3}))
    pending.rest({AT, OTHER})
    assert pending.resume(OTHER, None) is None
    assert pending.resume(AT, 3) == 5
    assert pending.due({AT: 3}) == {}


def test_a_partition_on_which_another_has_worked_is_not_resumed() -> None:
    pending = Pending()
    pending.take(AT, 5)
    pending.commit({AT: 5})
    pending.rest({AT})
    assert pending.resume(AT, 6) is None
    assert pending.due() == {}


def test_a_partition_with_calls_given_up_or_read_a_second_time_is_not_resumed() -> None:
    pending = Pending()
    for at in (AT, OTHER):
        pending.take(at, 5)
    pending.commit({AT: 3, OTHER: 5})
    begin(pending, record(3))
    pending.rest({AT, OTHER}, unfinished={OTHER})
    assert pending.resume(AT, 3) is None
    assert pending.resume(OTHER, 5) is None


@given(st.permutations(range(8)), st.integers(0, 8))
def test_no_offset_beyond_a_waiting_record_is_ever_due(order: list[int], ends: int) -> None:
    pending = Pending()
    for offset in range(8):
        begin(pending, record(offset))
    pending.take(AT, 8)
    for offset in order[:ends]:
        pending.end(record(offset))
    assert pending.due()[AT] == min(order[ends:], default=8)

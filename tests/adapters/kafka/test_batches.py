from hypothesis import given
from hypothesis import strategies as st

from live_scoring.adapters.kafka.batches import BatchLimit, Outgoing, batch_of

WHOLE = BatchLimit().most_bytes


def records(sizes: list[int]) -> list[Outgoing]:
    return [Outgoing(b"key", b"x" * size, 0) for size in sizes]


@given(sizes=st.lists(st.integers(0, 300), min_size=1, max_size=20), most=st.integers(61, 2_000))
def test_batches_hold_all_records_in_order_and_only_a_single_one_may_be_too_large(
    sizes: list[int], most: int
) -> None:
    queue, held = records(sizes), 0
    while held < len(queue):
        batch = batch_of(queue, held, most)
        assert batch.record_count() >= 1
        assert batch.size() <= most or batch.record_count() == 1
        held += batch.record_count()
    assert held == len(queue)


def test_the_size_of_a_batch_is_known_before_it_is_built() -> None:
    batch = batch_of([Outgoing(b"key", None, 0, (("a", None), ("b", b"1")), 5)], 0, WHOLE)
    assert batch.size() == len(batch._build())  # noqa: SLF001 -- what aiokafka sends


def test_a_batch_that_is_withdrawn_holds_nothing() -> None:
    batch = batch_of(records([1, 2]), 0, WHOLE)
    assert batch.record_count() == 2
    batch.withdraw()
    assert batch.record_count() == 0


@given(limit=st.integers(100, 2 * WHOLE))
def test_refusals_teach_at_least_half_of_what_a_topic_takes(limit: int) -> None:
    learned = BatchLimit()
    while learned.most_bytes > limit:
        learned.refused(learned.most_bytes)
    assert learned.most_bytes >= min(WHOLE, limit // 2)


def test_a_refusal_that_was_under_way_meanwhile_teaches_nothing_more() -> None:
    learned = BatchLimit()
    learned.refused(1_000)
    learned.refused(9_000)
    assert learned.most_bytes == 500


def test_larger_batches_are_tried_again_once_a_thousand_were_taken() -> None:
    learned = BatchLimit()
    learned.refused(WHOLE)
    for _ in range(999):
        learned.confirmed()
    assert learned.most_bytes == WHOLE // 2
    for _ in range(2_001):
        learned.confirmed()
    assert learned.most_bytes == WHOLE

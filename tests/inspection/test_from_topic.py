import pytest

from live_scoring.adapters.kafka import Extent, TopicPartition
from live_scoring.inspection.from_topic import newest_stretches


@pytest.mark.parametrize(
    ("sizes", "limit", "read"),
    [
        ([10, 10], 20, [10, 10]),
        ([100, 100], 20, [10, 10]),
        ([0, 3, 100, 100], 20, [0, 3, 9, 8]),
        ([5, 5, 5], 1, [1, 0, 0]),
        ([2, 2], 100, [2, 2]),
    ],
)
def test_records_are_read_of_all_partitions_alike(
    sizes: list[int], limit: int, read: list[int]
) -> None:
    places = [TopicPartition("runs", number) for number in range(len(sizes))]
    extents = {at: Extent(7, 7 + size, None) for at, size in zip(places, sizes, strict=True)}
    stretches = newest_stretches(extents, limit)
    assert [stretches[at][1] - stretches[at][0] for at in places] == read
    assert all(stretches[at][1] == extents[at].end for at in places)

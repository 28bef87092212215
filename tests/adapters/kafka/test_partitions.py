"""Keys go where every other client puts them."""

import pytest

from live_scoring.adapters.kafka import partition_of


@pytest.mark.parametrize(
    ("key", "murmur2"),
    [
        (b"21", -973_932_308),
        (b"foobar", -790_332_482),
        (b"a-little-bit-long-string", -985_981_536),
        (b"a-little-bit-longer-string", -1_486_304_829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
        (b"abc", 479_470_107),
    ],
)
def test_a_partition_is_murmur2_as_kafkas_own_clients_compute_it(key: bytes, murmur2: int) -> None:
    assert partition_of(key, 12) == (murmur2 & 0x7FFFFFFF) % 12

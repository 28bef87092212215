"""Which partition a key goes to: Kafka's murmur2, as every other client hashes."""

from functools import lru_cache

from aiokafka.partitioner import murmur2


@lru_cache(maxsize=16_384)  # of keys of up to 4 KB
def partition_of(key: bytes, partitions: int) -> int:
    """The partition of a key among `partitions`; cached, since murmur2 is slow in Python."""
    return int(murmur2(key) & 0x7FFFFFFF) % partitions

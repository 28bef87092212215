import pytest
from aiokafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder

CODECS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}


@pytest.mark.parametrize("codec", CODECS)
def test_whatever_producers_compress_with_can_be_read(codec: str) -> None:
    builder = DefaultRecordBatchBuilder(
        magic=2,
        compression_type=CODECS[codec],
        is_transactional=0,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        batch_size=100_000,
    )
    value = b"sunny " * 1_000
    builder.append(0, 0, None, value, [])
    batch = bytes(builder.build())
    assert codec == "none" or len(batch) < len(value)
    assert [record.value for record in DefaultRecordBatch(batch)] == [value]

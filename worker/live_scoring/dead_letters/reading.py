"""Reading a dead letter's bytes again, by the configuration of today."""

from live_scoring.adapters.kafka import ConsumerRecord
from live_scoring.config import WorkerConfig
from live_scoring.core.score import Failure
from live_scoring.formats import Decoded, Pieces, decode
from live_scoring.formats.dead_letter import DeadLetter, original_headers
from live_scoring.formats.header import named_format
from live_scoring.telemetry.envelope import Envelope
from live_scoring.wiring import build_reading


def read_again(
    record: ConsumerRecord, letter: DeadLetter, config: WorkerConfig
) -> Decoded | Pieces | Failure:
    """What the bytes are today; a `Failure` if they still cannot be read."""
    reading, source = build_reading(config), letter.source
    headers = original_headers(record.headers)
    named = named_format(headers, reading.formats) or config.topics.formats.get(source.topic)
    envelope = Envelope(source, record.key, headers, config.topics.agents.get(source.topic))
    return decode(record.value, named, reading.limits, envelope, reading.formats)

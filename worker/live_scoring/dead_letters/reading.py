"""Reading a dead letter's bytes again, by the configuration of today."""

from live_scoring.adapters.kafka import ConsumerRecord
from live_scoring.config import WorkerConfig
from live_scoring.core.score import Failure
from live_scoring.formats import FORMATS, Decoded, Limits, Pieces, decode
from live_scoring.formats.dead_letter import DeadLetter, original_headers
from live_scoring.formats.header import named_format
from live_scoring.telemetry.envelope import Envelope


def read_again(
    record: ConsumerRecord, letter: DeadLetter, config: WorkerConfig
) -> Decoded | Pieces | Failure:
    """What the bytes are today; a `Failure` if they still cannot be read."""
    limits = Limits(config.limits.max_bytes, config.limits.max_depth)
    headers = original_headers(record.headers)
    format_name = named_format(headers, FORMATS) or config.topics.formats.get(letter.source.topic)
    held = {name: value for name, value in headers if value is not None}
    return decode(record.value, format_name, limits, Envelope(letter.source, record.key, held))

"""One dead letter as lines for a terminal, on which none of its bytes can act."""

import json
from collections.abc import Iterator

from live_scoring.adapters.kafka import ConsumerRecord
from live_scoring.config import WorkerConfig
from live_scoring.core.decoding import parse_json
from live_scoring.core.quote import printable
from live_scoring.core.score import Failure
from live_scoring.core.wire import to_rfc3339
from live_scoring.dead_letters.reading import read_again
from live_scoring.dead_letters.survey import position_of
from live_scoring.formats import Decoded, Pieces
from live_scoring.formats.dead_letter import DeadLetter, Position, original_headers

_DUMPED_BYTES = 4096
"""Of what is no JSON; `--raw` writes all of it."""
_ROW = 16


def show_letter(record: ConsumerRecord, letter: DeadLetter, config: WorkerConfig) -> Iterator[str]:
    """What failed, what it would be today, and the bytes."""
    source, value = letter.source, record.value or b""
    place = Position(source.partition, source.offset)
    facts = [
        ("letter", f"{position_of(record)}{_written(record.timestamp)}"),
        ("source", f"{source.topic} {place}{_written(source.timestamp_ms)}"),
        ("failed", f"{letter.failure.stage}: {letter.failure.reason}: {letter.failure.detail}"),
        ("today", _today(record, letter, config)),
        ("key", _text(record.key)),
        *((f"header {name}", _text(held)) for name, held in original_headers(record.headers)),
        ("value", f"{len(value)} bytes{', the head of more' * letter.is_truncated}"),
    ]
    for name, fact in facts:
        yield f"{printable(name):8}  {printable(fact)}"
    yield ""
    yield from _as_json(value) or _as_dump(value)


def _written(at_ms: int) -> str:
    return f", written {to_rfc3339(at_ms)}"


def _today(record: ConsumerRecord, letter: DeadLetter, config: WorkerConfig) -> str:
    if letter.failure.stage == "publish":
        return "is a score, not a run; raise max.message.bytes of the scores topic"
    if letter.is_truncated:
        return "cannot be told, since it holds only the head of its record"
    read = read_again(record, letter, config)
    match read:
        case Failure():
            return f"still cannot be read: {read.reason}: {read.detail}"
        case Decoded():
            run = read.run
            return f"can be read ({read.format_name}): run {run.run_id} of agent {run.agent_id}"
        case Pieces():
            return f"can be read ({read.format_name}): {len(read.spans)} spans"


def _text(value: bytes | None) -> str:
    return "none" if value is None else value.decode(errors="backslashreplace")


def _as_json(value: bytes) -> list[str] | None:
    """Indented lines; None of what is no JSON, or too deep to be written again."""
    parsed = parse_json(value)
    if isinstance(parsed, Failure):
        return None
    try:
        text = json.dumps(parsed, indent=2, ensure_ascii=False)
    except RecursionError:
        return None
    return [printable(line) for line in text.split("\n")]


def _as_dump(value: bytes) -> Iterator[str]:
    for start in range(0, min(len(value), _DUMPED_BYTES), _ROW):
        row = value[start : start + _ROW]
        text = "".join(c if c.isascii() and c.isprintable() else "." for c in row.decode("latin-1"))
        yield f"{start:08x}  {row.hex(' '):{3 * _ROW - 1}}  {text}"
    if len(value) > _DUMPED_BYTES:
        yield f"… {len(value) - _DUMPED_BYTES} bytes more; --raw writes all"

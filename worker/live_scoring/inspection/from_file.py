"""The records of a file: one a line, or the whole file where it is one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import islice

from live_scoring.adapters.files import STDIN, Line, RunFile
from live_scoring.config import WorkerConfig
from live_scoring.core.decoding import parse_json
from live_scoring.core.score import Failure, Source
from live_scoring.formats import FORMATS
from live_scoring.inspection.record import Record
from live_scoring.telemetry.envelope import Envelope

_BINARY = tuple(form for form in FORMATS.values() if form.is_binary)
_LINES_LOOKED_AT = 100


def file_records(
    worker: WorkerConfig, file: RunFile, format_name: str | None, limit: int | None
) -> Iterator[Record]:
    """Read a file's records; standard input is held in memory, as it is looked at twice.

    Args:
        worker: What a record may be at most, and whose it is where it names no agent.
        file: The file.
        format_name: What its records are said to be.
        limit: Records at most; None is all of them.

    Raises:
        FileError: The file cannot be read to its end.
    """
    max_bytes = worker.limits.max_bytes
    whole = file.read(-1 if file.path == STDIN else max_bytes + 1)
    if _is_one(whole, max_bytes):
        parts: Iterable[Line] = (Line(0, whole),) if whole.strip() else ()
    else:
        again = replace(file, stdin=BytesIO(whole)) if file.path == STDIN else file
        parts = again.lines(max_bytes)
    for part in islice(parts, limit):
        place = f"{file.name}: line {part.number}" if part.number else file.name
        source = Source(file.name, 0, part.number, 0)
        envelope = Envelope(source, agent_id=worker.topics.only_agent)
        yield Record(place, part.content, envelope, format_name)


def _is_one(whole: bytes, max_bytes: int) -> bool:
    """Whether a file is one record: one JSON document, bytes of a binary format, or neither.

    A file of which no line is JSON is one record that is bad, not many.

    Args:
        whole: The file, or of a larger one its first bytes.
        max_bytes: Of a record.
    """
    if len(whole) <= max_bytes:
        if any(form.recognises(whole) for form in _BINARY) or _is_json(whole):
            return True
    elif b"\n" not in whole:
        return False
    return not _has_json_line(whole.splitlines()[:_LINES_LOOKED_AT])


def _has_json_line(lines: Sequence[bytes]) -> bool:
    return any(line.lstrip().startswith((b"{", b"[")) and _is_json(line) for line in lines)


def _is_json(content: bytes) -> bool:
    return not isinstance(parse_json(content), Failure)

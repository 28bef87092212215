"""The records of a file: one a line, or the whole file where it is one."""

from collections.abc import Iterator
from itertools import islice

from live_scoring.adapters.files import RunFile
from live_scoring.config import WorkerConfig
from live_scoring.core.score import Source
from live_scoring.inspection.record import Record
from live_scoring.telemetry.envelope import Envelope


def file_records(
    worker: WorkerConfig, file: RunFile, format_name: str | None, limit: int | None
) -> Iterator[Record]:
    """Read a file's records.

    Args:
        worker: What a record may be at most, and whose it is where it names no agent.
        file: The file.
        format_name: What its records are said to be; None is what the configuration says.
        limit: Records at most; None is all of them.

    Raises:
        FileError: The file cannot be read to its end.
    """
    named = format_name or worker.only_mapping
    for part in islice(file.records(worker.limits.max_bytes), limit):
        place = f"{file.name}: line {part.number}" if part.number else file.name
        source = Source(file.name, 0, part.number, 0)
        envelope = Envelope(source, agent_id=worker.topics.only_agent)
        yield Record(place, part.content, envelope, named)

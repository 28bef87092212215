"""`live-scoring inspect`: from options to what is printed."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from live_scoring.config import load_worker
from live_scoring.inspection.as_json import to_json_line
from live_scoring.inspection.as_text import to_text
from live_scoring.inspection.inspector import Inspector
from live_scoring.inspection.sought import Sought
from live_scoring.inspection.summary import Summary


def inspect(
    sought: Sought, folder: Path | None, environ: Mapping[str, str], *, is_json: bool
) -> Iterator[str]:
    """Look at records, and tell in lines what they are.

    Args:
        sought: Which records.
        folder: Of `worker.yaml`, if there is one.
        environ: Environment variables; they win over it.
        is_json: Whether each line is to be an object.

    Raises:
        LiveScoringError: `worker.yaml` cannot be used, or the records cannot be read.
    """
    worker = load_worker(folder, environ)
    inspector, summary = Inspector(worker), Summary()
    for inspected in inspector.look_at(sought.read(worker)):
        summary.add(inspected)
        if is_json:
            yield to_json_line(inspected)
        else:
            yield from to_text(inspected)
    if not is_json:
        yield from summary.lines(sought.name, inspector)

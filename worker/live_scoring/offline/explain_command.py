"""`live-scoring explain`: finds the run and explains it."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from live_scoring.adapters.files import FileError, RunFile
from live_scoring.config import load_config
from live_scoring.core.quote import printable
from live_scoring.formats import Decoded, Limits
from live_scoring.gathering import GatheredRun, Unreadable
from live_scoring.offline.explanation import Explanation, explain
from live_scoring.offline.gather import Reading, gather
from live_scoring.wiring import build_formats, build_plan, check_format

_SHOWN = 3


def explain_file(
    file: RunFile,
    folder: Path,
    environ: Mapping[str, str],
    format_name: str | None,
    run_id: str | None,
) -> Explanation:
    """Explain the one run of a file, or the one of its runs which has this id.

    Raises:
        LiveScoringError: The configuration or the file cannot be used, or holds no such run.
    """
    config = load_config(folder, environ)
    check_format(format_name, config.worker)
    limits = Limits(config.worker.limits.max_bytes, config.worker.limits.max_depth)
    formats, agent_id = build_formats(config.worker), config.worker.topics.only_agent
    named = format_name or config.worker.only_mapping
    reading = Reading(file.name, named, limits, formats, agent_id)
    found = _only_run(file, reading) if run_id is None else _find_run(file, reading, run_id)
    return explain(Decoded(found.run, found.format_name), build_plan(config))


def _only_run(file: RunFile, reading: Reading) -> GatheredRun:
    runs = list(islice(_runs(file, reading), _SHOWN + 1))
    if len(runs) == 1:
        return runs[0]
    if not runs:
        raise FileError(f"{file.name}: holds no run; give one, or spans of an agent")
    ids = ", ".join(printable(found.run.run_id) for found in runs[:_SHOWN])
    told = f"{len(runs)} runs ({ids})"
    if len(runs) > _SHOWN:
        told = f"more than {_SHOWN} runs ({ids}, …)"
    raise FileError(f"{file.name}: holds {told}; choose one by --run ID")


def _runs(file: RunFile, reading: Reading) -> Iterator[GatheredRun]:
    """The runs, of a file that holds nothing else."""
    for find in gather(file.records(reading.limits.max_bytes), reading):
        match find:
            case GatheredRun():
                yield find
            case Unreadable(failure=failure):
                raise FileError(
                    f"{file.name}: {failure.reason}: {printable(failure.detail)}; "
                    "mend it, or choose a run of the file by --run ID"
                )


def _find_run(file: RunFile, reading: Reading, run_id: str) -> GatheredRun:
    for find in gather(file.records(reading.limits.max_bytes), reading):
        if isinstance(find, GatheredRun) and find.run.run_id == run_id:
            return find
    raise FileError(f"{file.name}: holds no run {printable(run_id)}; correct the id")

"""`live-scoring explain`: finds the run and explains it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from live_scoring.adapters.files import STDIN, FileError, Line, RunFile
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
    reading = Reading(file.name, format_name, limits, formats, agent_id)
    found = _only_run(file, reading) if run_id is None else _find_run(file, reading, run_id)
    return explain(Decoded(found.run, found.format_name), build_plan(config))


def _only_run(file: RunFile, reading: Reading) -> GatheredRun:
    finds = list(gather(_whole(file, reading), reading))
    for find in finds:
        if isinstance(find, Unreadable):
            raise FileError(
                f"{file.name}: {find.failure.reason}: {printable(find.failure.detail)}; "
                "mend it, or choose a line of a file of runs by --run ID"
            )
    runs = [find for find in finds if isinstance(find, GatheredRun)]
    if len(runs) == 1:
        return runs[0]
    if not runs:
        raise FileError(f"{file.name}: its spans tell of no agent; give a trace of one")
    ids = ", ".join(printable(found.run.run_id) for found in runs[:_SHOWN])
    more = ", …" if len(runs) > _SHOWN else ""
    raise FileError(f"{file.name}: holds {len(runs)} runs ({ids}{more}); choose one by --run ID")


def _find_run(file: RunFile, reading: Reading, run_id: str) -> GatheredRun:
    ways = [file.lines(reading.limits.max_bytes)]
    if file.path != STDIN:  # it cannot be read twice
        ways.append(_whole(file, reading))  # one record need not be on one line
    finds = (find for lines in ways for find in gather(lines, reading))
    runs = (find for find in finds if isinstance(find, GatheredRun))
    found = next((one for one in runs if one.run.run_id == run_id), None)
    if found is None:
        raise FileError(f"{file.name}: no line is a run {printable(run_id)}; correct the id")
    return found


def _whole(file: RunFile, reading: Reading) -> Iterator[Line]:
    yield Line(1, file.read(reading.limits.max_bytes + 1))

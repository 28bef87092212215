"""`live-scoring explain`: finds the run and explains it."""

from collections.abc import Mapping
from pathlib import Path

from live_scoring.adapters.files import FileError, RunFile
from live_scoring.config import load_config
from live_scoring.core.quote import printable
from live_scoring.core.score import Failure
from live_scoring.formats import Decoded, Limits, decode_run
from live_scoring.offline.explanation import Explanation, explain
from live_scoring.wiring import build_plan


def explain_file(
    file: RunFile,
    folder: Path,
    environ: Mapping[str, str],
    format_name: str | None,
    run_id: str | None,
) -> Explanation:
    """Explain the one run of a file, or that of a file of runs which has this id.

    Raises:
        LiveScoringError: The configuration or the file cannot be used, or holds no such run.
    """
    config = load_config(folder, environ)
    limits = Limits(config.worker.limits.max_bytes, config.worker.limits.max_depth)
    plan = build_plan(config)
    if run_id is None:
        return explain(_only_run(file, format_name, limits), plan)
    return explain(_find_run(file, format_name, limits, run_id), plan)


def _only_run(file: RunFile, format_name: str | None, limits: Limits) -> Decoded:
    decoded = decode_run(file.read(limits.max_bytes + 1), format_name, limits)
    if isinstance(decoded, Failure):
        raise FileError(
            f"{file.name}: {decoded.reason}: {printable(decoded.detail)}; "
            "mend it, or choose a line of a file of runs by --run ID"
        )
    return decoded


def _find_run(file: RunFile, format_name: str | None, limits: Limits, run_id: str) -> Decoded:
    for line in file.lines(limits.max_bytes):
        decoded = decode_run(line.content, format_name, limits)
        if isinstance(decoded, Decoded) and decoded.run.run_id == run_id:
            return decoded
    raise FileError(f"{file.name}: no line is a run {printable(run_id)}; correct the id")

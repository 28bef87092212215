"""`live-scoring init`: from options to files and to what is printed."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from live_scoring.adapters.files import STDIN
from live_scoring.check_config import check_config
from live_scoring.config import WorkerConfig, load_worker
from live_scoring.config.loading import WORKER_FILE
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import printable
from live_scoring.inspection.inspector import Inspector
from live_scoring.inspection.sought import Sought
from live_scoring.starter.files import agent_files, worker_file
from live_scoring.starter.sample import Sample
from live_scoring.starter.writing import check_is_free, write_new

_TOPIC_LIMIT = 1_000
_NAME_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Report:
    """What the command is to say; each entry is one line."""

    lines: tuple[str, ...]
    warnings: tuple[str, ...]


def init(sought: Sought, folder: Path, environ: Mapping[str, str], *, has_cases: bool) -> Report:
    """Write a configuration that the sampled runs pass, and check it.

    Args:
        sought: The sample; of a topic the newest 1,000 records unless it says otherwise.
        folder: Where to write; holds at most a `worker.yaml`, which is read and left as it is.
        environ: Environment variables: where the brokers are.
        has_cases: Whether to make a case of a run of each agent, which shows its text.

    Raises:
        LiveScoringError: The folder is not free, or nothing can be sampled, or no run is in it.
    """
    check_is_free(folder)
    is_new = not (folder / WORKER_FILE).exists()
    worker = load_worker(None if is_new else folder, environ)
    if sought.topic is not None:
        sought = replace(sought, limit=sought.limit or _TOPIC_LIMIT)
    inspector, sample = Inspector(worker), Sample(_agent_of(sought))
    sample.add(inspector.look_at(sought.read(worker)))
    told = tuple(sample.summary.lines(sought.name, inspector))
    if not sample.agents:
        raise LiveScoringError("\n".join((*told, _without_runs(sought, inspector.records))))
    topics = _topics(sought, worker, has_unnamed=sample.summary.unnamed > 0)
    files = agent_files(sought.name, sample.agents, has_cases=has_cases)
    if is_new:
        kafka = {"bootstrap_servers": worker.kafka.bootstrap_servers}
        files = {**worker_file({"kafka": kafka, "topics": topics}, sought.name), **files}
    write_new(folder, files)
    report = check_config(folder, environ)
    following = _next(sought, folder, is_one=inspector.records == sample.summary.runs == 1)
    return Report(
        (*told, *_written(folder, [*files]), *report.summary, f"next: {printable(following)}"),
        (*([] if is_new else _missing(worker, topics)), *report.warnings, *report.failures),
    )


def _topics(sought: Sought, worker: WorkerConfig, *, has_unnamed: bool) -> Mapping[str, Any]:
    """What `topics` must say for a worker to read the runs of the sample as they were read."""
    topic = sought.topic or worker.topics.runs[0]
    topics: dict[str, Any] = {"runs": [topic]}
    if sought.format_name is not None:
        topics["formats"] = {topic: sought.format_name}
    if has_unnamed:
        topics["agents"] = {topic: _agent_of(sought)}
    return topics


def _missing(worker: WorkerConfig, wanted: Mapping[str, Any]) -> Iterator[str]:
    """What a `worker.yaml` that was there does not say of the topic of the sample."""
    said = worker.topics.model_dump()
    for key, value in wanted.items():
        held = said[key]
        is_said = value.items() <= held.items() if key != "runs" else {*value} <= {*held}
        if not is_said:
            yield f"{WORKER_FILE}: topics.{key}: leaves out what was sampled; add {value}"


def _agent_of(sought: Sought) -> str:
    """Whose runs those are that name no agent: of what their topic or file is called."""
    if sought.topic is not None:
        return sought.topic[:_NAME_LIMIT]
    if sought.file is None or sought.file.path == STDIN:
        return "agent"
    stem = sought.file.path.name.partition(".")[0][:_NAME_LIMIT].strip()
    return stem if stem and stem.isprintable() else "agent"


def _without_runs(sought: Sought, records: int) -> str:
    if not records:
        return f"{sought.name}: holds no record; send runs to it first"
    where = f"--topic {printable(sought.topic)}" if sought.topic else sought.name
    return (
        f"{sought.name}: holds no run that can be read; look with `live-scoring inspect {where}`, "
        "and give JSON of your own making a mapping (config/README.md)"
    )


def _written(folder: Path, files: list[Path]) -> Iterator[str]:
    yield printable(f"written to {folder.as_posix()}: {', '.join(p.as_posix() for p in files)}")


def _next(sought: Sought, folder: Path, *, is_one: bool) -> str:
    config = shlex.quote(folder.as_posix())
    if sought.file is None:
        return f"live-scoring run --config {config}"
    command = "explain" if is_one else "eval"
    return f"live-scoring {command} {shlex.quote(sought.file.path.as_posix())} --config {config}"

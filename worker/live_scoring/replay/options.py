"""What `live-scoring replay` was given, and what it means together."""

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from live_scoring.adapters.files import STDIN, RunFile
from live_scoring.config import Config, TopicsConfig, WorkerConfig
from live_scoring.config.worker import Topic
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.wire import to_json

_TOPIC = TypeAdapter(Topic)


class OptionsError(LiveScoringError):
    """Options that do not go together."""


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What the command was given beside a configuration."""

    file: RunFile | None
    """None replays topics."""
    topics: tuple[str, ...]
    """Empty is the configuration's."""
    agents: tuple[str, ...]
    format_name: str | None
    since: str | None
    until: str | None
    offsets: str | None
    name: str | None
    to_topic: str | None
    to_file: Path | None
    to_openmetrics: Path | None
    is_dry_run: bool
    checkpoint: Path | None
    rate: float | None


@dataclass(frozen=True, slots=True)
class Targets:
    """Where a replay writes."""

    topic: str | None
    file: Path | None
    openmetrics: Path | None
    checkpoint: Path | None

    @property
    def named(self) -> Mapping[str, str]:
        """What is written, by what it is."""
        found = {"topic": self.topic, "file": self.file, "openmetrics": self.openmetrics}
        return {what: str(where) for what, where in found.items() if where is not None}


@dataclass(frozen=True, slots=True)
class Job:
    """What a replay is to do."""

    options: ReplayOptions
    topics: tuple[str, ...]
    """Empty where a file is replayed."""
    targets: Targets
    name: str
    """What the scores carry."""

    def command(self, config: Config) -> Mapping[str, Any]:
        """All that a later run must share to go on with this one, as JSON."""
        options = self.options
        source = {"RUNS": options.file.name} if options.file else {"--topic": list(self.topics)}
        return source | {
            "--from": options.since,
            "--to": options.until,
            "--offsets": options.offsets,
            "--agent": list(options.agents),
            "--format": options.format_name,
            "--name": self.name,
            "--to-topic": self.targets.topic,
            "--to-file": _written(self.targets.file),
            "--to-openmetrics": _written(self.targets.openmetrics),
            "kafka.bootstrap_servers": config.worker.kafka.bootstrap_servers,
            "the configuration's hash": config.hash,
            "the hash of what says how records are read": _hash_of_reading(config.worker),
        }


def job_of(options: ReplayOptions, topics: TopicsConfig) -> Job:
    """Make one thing of the options.

    Raises:
        OptionsError: They do not go together.
    """
    read = () if options.file else tuple(dict.fromkeys(options.topics or topics.runs))
    _check_source(options, read)
    _check_values(options)
    targets = _targets(options, topics, read)
    _check_checkpoint(options, targets)
    _check_paths(options)
    return Job(options, read, targets, options.name or _name(options, read))


def _check_source(options: ReplayOptions, read: tuple[str, ...]) -> None:
    if options.file and options.topics:
        raise OptionsError("--topic: RUNS is a file and has none; give one of the two")
    if options.file and options.offsets is not None:
        raise OptionsError("--offsets: RUNS is a file and has none; leave it out")
    if options.offsets is not None and len(read) > 1:
        raise OptionsError(
            f"--offsets: would mean {len(read)} topics, {', '.join(read)}; name one with --topic"
        )


def _check_values(options: ReplayOptions) -> None:
    for topic in options.topics:
        check_topic("--topic", topic)
    if options.to_topic is not None:
        check_topic("--to-topic", options.to_topic)
    if options.name == "":
        raise OptionsError("--name: is empty; give what the scores are to carry, or leave it out")
    if options.rate is not None and not math.isfinite(options.rate):
        raise OptionsError(f"--rate: {options.rate} is no number of records; give one such as 500")


def check_topic(option: str, name: str) -> None:
    """Refuse what can be no topic's name.

    Raises:
        OptionsError: It says what a name is made of.
    """
    try:
        _TOPIC.validate_python(name)
    except ValidationError as error:
        raise OptionsError(f"{option}: {error.errors()[0]['ctx']['error']}") from None


def _targets(options: ReplayOptions, topics: TopicsConfig, read: tuple[str, ...]) -> Targets:
    has_other = bool(options.to_file or options.to_openmetrics)
    if options.is_dry_run and (options.to_topic or has_other):
        raise OptionsError("--dry-run: writes nothing; leave it out, or what says where to write")
    is_silent = options.is_dry_run or (has_other and options.to_topic is None)
    topic = None if is_silent else options.to_topic or f"{topics.scores}-replay"
    if topic == topics.scores:
        raise OptionsError(
            f"--to-topic: {topic} holds the live scores; name a topic of the replay's own"
        )
    used = {*topics.runs, topics.verdicts, topics.dead_letters, topics.panes or ""}
    if topic in used.union(read):
        raise OptionsError(
            f"--to-topic: {topic} is used by the worker or read; name a topic of the replay's own"
        )
    return Targets(topic, options.to_file, options.to_openmetrics, options.checkpoint)


def _check_checkpoint(options: ReplayOptions, targets: Targets) -> None:
    if options.checkpoint is None:
        return
    if targets.topic is None and targets.file is None:
        raise OptionsError(
            "--checkpoint: there are no scores to go on from; add --to-file or --to-topic"
        )
    if options.file and options.file.path == STDIN:
        raise OptionsError("--checkpoint: standard input cannot be read again; name a file")


def _check_paths(options: ReplayOptions) -> None:
    paths = [options.to_file, options.to_openmetrics, options.checkpoint]
    if options.file and options.file.path != STDIN:
        paths.append(options.file.path)
    known = [path.resolve() for path in paths if path is not None]
    twice = next((path for path in known if known.count(path) > 1), None)
    if twice:
        raise OptionsError(f"{twice.as_posix()}: is named twice; give each file a name of its own")


def _name(options: ReplayOptions, read: tuple[str, ...]) -> str:
    """Where the runs come from and which, in the words of the command: another day's is alike."""
    source = options.file.name if options.file else "+".join(read)
    return source + "".join(_name_of_span(options))


def _name_of_span(options: ReplayOptions) -> Iterator[str]:
    if options.offsets is not None:
        yield f"@{options.offsets}"
    elif options.since is not None or options.until is not None:
        yield f"@{options.since or ''}..{options.until or ''}"


def _hash_of_reading(config: WorkerConfig) -> str:
    """12 hex digits over all of `worker.yaml` that decides which runs records hold."""
    read = config.model_dump(
        mode="json",
        include={
            "topics": {"formats", "agents"},
            "mappings": True,
            "assembly": True,
            "limits": True,
        },
    )
    return hashlib.sha256(to_json(read)).hexdigest()[:12]


def _written(path: Path | None) -> str | None:
    return None if path is None else path.as_posix()

"""A folder of YAML and the environment to a `Config`, or all that is wrong with them."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from live_scoring.config.agents import (
    NO_DEFAULTS,
    AgentConfig,
    RuleFile,
    read_agent,
    read_defaults,
)
from live_scoring.config.environment import read_environment, variable_of
from live_scoring.config.problems import ConfigError, Problems, keys_of
from live_scoring.config.rules import Rule, RuleOptions
from live_scoring.config.secrets import SECRETS, Place
from live_scoring.config.sentences import findings_of, sentence_of
from live_scoring.config.worker import WorkerConfig
from live_scoring.config.yaml_file import read_yaml
from live_scoring.core.wire import to_json

TEST_SUFFIX = "_test.yaml"
"""Ends the names of files that hold cases for the agent's file beside them."""
WORKER_FILE = "worker.yaml"


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that the files and the environment say."""

    worker: WorkerConfig
    agents: tuple[AgentConfig, ...]
    """One for each file of `agents/`, by its name."""

    @property
    def hash(self) -> str:
        """12 hex digits over all that decides scores and verdicts: agents and windows.

        Two workers of one fleet have the same, whatever their addresses and passwords.
        """
        rules = [(a.agent, a.windows, a.split_by, _rules_of(a)) for a in self.agents]
        windows = self.worker.model_dump(mode="json", include={"windows"})
        return hashlib.sha256(to_json([windows, rules])).hexdigest()[:12]


def load_config(folder: Path, environ: Mapping[str, str]) -> Config:
    """Read a configuration folder.

    Args:
        folder: Holds `agents/*.yaml` and, where wanted, `worker.yaml` and `defaults.yaml`.
        environ: Environment variables; they win over `worker.yaml`.

    Raises:
        ConfigError: With every problem found, each one line.
    """
    lines: list[str] = []
    if not _is_folder(folder):
        raise ConfigError([f"{folder.as_posix()}: is no folder; name the one with agents/"])
    worker = _read_worker(folder, environ, lines)
    defaults = _read_defaults(folder / "defaults.yaml", lines)
    agents = _read_agents(
        folder / "agents", defaults, tuple(worker.windows) if worker else None, lines
    )
    if lines or worker is None:
        raise ConfigError(lines)
    return Config(worker, agents)


def load_worker(folder: Path | None, environ: Mapping[str, str]) -> WorkerConfig:
    """Read `worker.yaml` alone, whatever agents stand beside it.

    Args:
        folder: Where it stands, if it does; None reads the environment alone.
        environ: Environment variables; they win over it.

    Raises:
        ConfigError: With every problem found, each one line.
    """
    lines: list[str] = []
    if folder and not _is_folder(folder):
        raise ConfigError([f"{folder.as_posix()}: is no folder; name the one with worker.yaml"])
    worker = _read_worker(folder, environ, lines)
    if lines or worker is None:
        raise ConfigError(lines)
    return worker


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return True  # nobody can tell; why is told of each file in it


def read_file(
    path: Path, lines: list[str], *, may_be_missing: bool = False
) -> tuple[dict[str, Any] | None, Problems]:
    """A file's mapping, None if it has none, and where to note what is wrong with it.

    The mapping of a file that is not there, and may be, is empty. A link that leads nowhere is
    there.
    """
    problems = Problems(path.as_posix(), lines)
    try:
        content = path.read_bytes()
    except OSError as error:
        if may_be_missing and isinstance(error, FileNotFoundError) and not path.is_symlink():
            return {}, problems
        problems.add((), _unreadable(error))
        return None, problems
    return read_yaml(content, problems), problems


def _unreadable(error: OSError) -> str:
    return f"cannot be read ({error.strerror}); check the folder and its rights"


def _read_worker(
    folder: Path | None, environ: Mapping[str, str], lines: list[str]
) -> WorkerConfig | None:
    raw: dict[str, Any] | None = {}
    problems = Problems(WORKER_FILE, lines)
    if folder:
        raw, problems = read_file(folder / WORKER_FILE, lines, may_be_missing=True)
    variables = read_environment(environ, Problems("environment", lines))
    if raw is None:
        return None
    if told := [place for place in sorted(SECRETS) if _has(raw, place)]:
        for place in told:
            problems.add(place, f"is a secret in a file; give it as {variable_of(place)}")
        return None
    merged = _merge(raw, variables)
    try:
        return WorkerConfig.model_validate(merged)
    except ValidationError as error:
        _add_invalid(error, merged, variables, problems)
        return None


def _has(raw: Mapping[str, Any], place: Place) -> bool:
    *sections, key = place
    section: object = raw
    for step in sections:
        section = section.get(step) if isinstance(section, dict) else None
    return isinstance(section, dict) and key in section


def _merge(raw: Mapping[str, Any], variables: Mapping[Place, Any]) -> dict[str, Any]:
    """The file's mapping with the environment's values in their places."""
    merged = deepcopy(dict(raw))
    for loc, value in variables.items():
        section = merged
        for step in loc[:-1]:
            inner = section.get(step)
            section[step] = inner if isinstance(inner, dict) else {}
            section = section[step]
        section[loc[-1]] = value
    return merged


def _add_invalid(
    error: ValidationError, raw: object, variables: Mapping[Place, Any], problems: Problems
) -> None:
    """Note each problem at the variable it comes from, else at its key in the file."""
    environment = Problems("environment", problems.lines)
    for details in findings_of(error):
        loc = details["loc"]
        source = next((v for v in variables if loc[: len(v)] == v), None)
        if source:
            sentence = sentence_of(details, keys_of(WorkerConfig, loc[:-1]))
            environment.add((variable_of(source), *loc[len(source) :]), sentence)
        else:
            problems.add_details(details, WorkerConfig, raw)


def _read_defaults(path: Path, lines: list[str]) -> RuleFile:
    raw, problems = read_file(path, lines, may_be_missing=True)
    return NO_DEFAULTS if raw is None else read_defaults(raw, problems)


def _read_agents(
    folder: Path, defaults: RuleFile, windows: Sequence[str] | None, lines: list[str]
) -> tuple[AgentConfig, ...]:
    found: dict[str, AgentConfig] = {}
    for path in _yaml_files(folder, lines):
        if path.name.endswith(TEST_SUFFIX):
            continue
        if path.suffix != ".yaml":
            Problems(path.as_posix(), lines).add((), "would be passed over; end its name in .yaml")
            continue
        raw, problems = read_file(path, lines)
        agent = raw and read_agent(raw, defaults, windows, problems)
        if not agent:
            continue
        if other := found.get(agent.agent):
            problems.add(("agent",), f"{agent.agent} has {other.where} already; keep one file")
        found[agent.agent] = agent
    if not found and not lines:
        Problems(folder.as_posix(), lines).add((), "has no agent; add a file such as weather.yaml")
    return tuple(found.values())


def _yaml_files(folder: Path, lines: list[str]) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.match("*.y*ml"))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:  # `glob` would find nothing and say nothing
        Problems(folder.as_posix(), lines).add((), _unreadable(error))
        return []


def _rules_of(agent: AgentConfig) -> list[object]:
    return [
        (name, *rule.identity, rule.options.model_dump(), *_limits_of(rule))
        for rules in (agent.gates, agent.scorers)
        for name, rule in rules.items()
    ]


def _limits_of(rule: Rule[RuleOptions]) -> Iterator[object]:
    if rule.limits:
        yield asdict(rule.limits)

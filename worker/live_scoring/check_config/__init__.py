"""`live-scoring check-config`: reads a configuration, runs its cases and says what is doubtful."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from live_scoring.check_config.cases import Tested, cases_beside, run_cases
from live_scoring.check_config.doubts import doubts_about
from live_scoring.config import Config, ConfigError, load_config
from live_scoring.config.loading import TEST_SUFFIX
from live_scoring.config.problems import Problems
from live_scoring.core.disclosure import CANDID
from live_scoring.wiring import build_plan


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be said of a configuration that can be used; each entry is one line."""

    summary: tuple[str, ...]
    failures: tuple[str, ...]
    """Cases that did not come out as expected."""
    warnings: tuple[str, ...]


def check_config(folder: Path, environ: Mapping[str, str]) -> Report:
    """Check a configuration folder.

    Raises:
        ConfigError: If it cannot be used, or a file of cases cannot be read.
    """
    config = load_config(folder, environ)
    plan = build_plan(config, CANDID)
    lines: list[str] = []
    tested: dict[str, Tested] = {}
    for agent, agent_plan in zip(config.agents, plan.agents, strict=True):
        path = cases_beside(Path(agent.where))
        if path.exists():
            tested[agent.where] = run_cases(path, plan, agent_plan, lines)
    _find_strays(folder / "agents", config, lines)
    if lines:
        raise ConfigError(lines)
    return Report(
        summary=tuple(_summary(config, tested)),
        failures=tuple(line for result in tested.values() for line in result.failures),
        warnings=doubts_about(config, plan, environ),
    )


def _find_strays(folder: Path, config: Config, lines: list[str]) -> None:
    expected = {cases_beside(Path(agent.where)) for agent in config.agents}
    for path in sorted(folder.glob(f"*{TEST_SUFFIX}")):
        if path not in expected:
            agent = path.name.removesuffix(TEST_SUFFIX) + ".yaml"
            Problems(path.as_posix(), lines).add((), f"has no {agent} beside it; rename it")


def _summary(config: Config, tested: Mapping[str, Tested]) -> Iterator[str]:
    for agent in config.agents:
        parts = [
            _count(len(agent.gates), "gate"),
            _count(len(agent.scorers), "scorer"),
            f"windows {', '.join(agent.windows)}",
        ]
        if result := tested.get(agent.where):
            parts.append(f"{result.passed} of {_count(result.cases, 'case')} passed")
        yield f"{agent.agent}: {', '.join(parts)}"
    yield f"{_count(len(config.agents), 'agent')}, configuration {config.hash}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

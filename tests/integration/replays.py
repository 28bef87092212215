"""`live-scoring replay` as a process."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from tests.integration.lab import Lab
from tests.integration.waiting import PATIENCE_SECONDS


@dataclass(frozen=True, slots=True)
class Ended:
    """What a replay that has ended said."""

    exit_code: int
    out: str
    said: str
    """On standard error."""

    @property
    def summary(self) -> dict[str, Any]:
        """What it wrote with `--json`."""
        found: dict[str, Any] = orjson.loads(self.out)
        return found


def start_replay(lab: Lab, *options: str | Path) -> subprocess.Popen[str]:
    """Start a replay of the lab's runs."""
    command = ["-m", "live_scoring", "replay", "--config", lab.config, *options]
    return subprocess.Popen(
        [sys.executable, *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end_of(process: subprocess.Popen[str]) -> Ended:
    """Wait until a replay has ended."""
    out, said = process.communicate(timeout=PATIENCE_SECONDS)
    return Ended(process.returncode, out, said)


def replay(lab: Lab, *options: str | Path) -> Ended:
    """Replay the lab's runs."""
    return end_of(start_replay(lab, *options))


def scores_in(path: Path) -> list[dict[str, Any]]:
    """The scores of a file."""
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def told_by(score: Mapping[str, Any]) -> dict[str, Any]:
    """A score without what tells one making of it from another."""
    return {key: told for key, told in score.items() if key not in {"scored_at", "replay"}}

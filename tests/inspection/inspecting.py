"""Runs the command for tests."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from live_scoring.cli import main


def inspect(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    """What the command says; it must not fail."""
    result = CliRunner().invoke(main, ["inspect", *map(str, arguments)], input=stdin)
    assert result.exit_code == 0, result.output
    return result


def inspected(*arguments: str | Path, stdin: bytes | None = None) -> list[dict[str, Any]]:
    """The objects that it prints."""
    lines = inspect(*arguments, "--json", stdin=stdin).stdout.splitlines()
    return [json.loads(line) for line in lines]


def run_line(**fields: Any) -> bytes:
    """A native run as a line; a field that is None is left out."""
    said = {"role": "assistant", "text": "hi", "tool_invocations": []}
    run = {
        "run_id": "run-1",
        "agent_id": "agent-1",
        "timestamp": "2026-11-01T12:00:00Z",
        "output": [said],
    }
    told = {name: value for name, value in (run | fields).items() if value is not None}
    return json.dumps(told).encode()

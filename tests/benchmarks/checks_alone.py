"""Rows: each check alone, beside the reference's own in JavaScript, on the same cases."""

import json
import subprocess
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from live_scoring.core.run import AgentRun
from live_scoring.core.scoring import Check
from tests.benchmarks.figures import Figures
from tests.conformance.reading import FOLDER, read_cases, run_with
from tests.conformance.test_checks import check_of

SCRIPT = Path(__file__).with_name("mastra.mjs")
_LEAST_SECONDS = 0.2


def measure_ours() -> dict[str, Figures]:
    """Calls a second of each check, each on a run that it sees for the first time."""
    cases: defaultdict[str, list[tuple[Check, dict[str, Any]]]] = defaultdict(list)
    for case in read_cases("checks"):
        fields = {"run_id": "run", "agent_id": "agent", "output": run_with(case["output"]).output}
        cases[case["check"]].append((check_of(case), fields))
    return {name: _rate(asked) for name, asked in cases.items()}


def _rate(asked: list[tuple[Check, dict[str, Any]]]) -> Figures:
    calls, took = 0, 0.0
    while took < _LEAST_SECONDS:
        fresh = [(check, AgentRun.model_construct(**fields)) for check, fields in asked]
        began = time.perf_counter()
        for check, run in fresh:
            check(run)
        took += time.perf_counter() - began
        calls += len(fresh)
    return Figures(calls / took, took / calls * 1e6)


def measure_theirs(node_modules: Path) -> dict[str, Figures]:
    """The same of the reference, its scorers run as its manual runs them."""
    paths = [str(path) for path in sorted(FOLDER.glob("checks*.jsonl"))]
    command = ["node", str(SCRIPT), str(node_modules), str(_LEAST_SECONDS), *paths]
    told = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    return {name: Figures(rate, 1e6 / rate) for name, rate in json.loads(told.stdout).items()}

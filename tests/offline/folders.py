"""Plans, runs and evaluations for the tests of the offline commands."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from live_scoring.adapters.files import Part
from live_scoring.config import load_config
from live_scoring.core.pipeline import Plan
from live_scoring.formats import DEFAULT_LIMITS
from live_scoring.offline.evaluate import evaluate
from live_scoring.offline.evaluation import AgentReport, Evaluation, ScorerReport
from live_scoring.offline.gather import Reading
from live_scoring.wiring import build_plan
from tests.config.folders import agent_of, write_folder


def plan_of(folder: Path, files: Mapping[str, str] | None = None) -> Plan:
    """The plan of a folder with these files; see `write_folder`."""
    return build_plan(load_config(write_folder(folder, files), {}))


def plan_with(folder: Path, gates: str = "{}", scorers: str = "{}", more: str = "") -> Plan:
    """The plan of `weather-agent` with these rules."""
    return plan_of(folder, agent_of(gates, scorers, more))


def run_line(run_id: str = "run-1", text: str = "", *tools: str, **fields: Any) -> bytes:
    """A run of `weather-agent` as a line."""
    calls = [{"name": tool} for tool in tools]
    message = {"role": "assistant", "text": text, "tool_invocations": calls}
    known = {"run_id": run_id, "agent_id": "weather-agent", "output": [message]}
    return json.dumps(known | fields).encode()


def evaluated(plan: Plan, lines: Iterable[bytes]) -> Evaluation:
    """The lines judged."""
    numbered = (Part(number, line) for number, line in enumerate(lines, start=1))
    return evaluate(numbered, Reading("runs.jsonl", None, DEFAULT_LIMITS), plan)


def only_agent(evaluation: Evaluation) -> AgentReport:
    """The report of the one agent, or group, there is."""
    (agent,) = evaluation.agents
    return agent


def only_scorer(evaluation: Evaluation) -> ScorerReport:
    """The report of the one scorer of the one agent there is."""
    (report,) = only_agent(evaluation).scorers
    return report

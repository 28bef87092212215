"""What every contender does: runs of 2.5 KB, eight scorers an agent, the same scores out."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import yaml

from live_scoring.config import load_config
from live_scoring.core.pipeline import Plan, process
from live_scoring.core.score import Source
from live_scoring.formats import Decoded, Limits, decode
from live_scoring.formats.score_json import encode_score
from live_scoring.wiring import build_plan

AGENTS = 12
PARTITIONS = 4

_LIMITS = Limits(4 * 1024 * 1024, 100)
_AGENT = {
    "agent": "agent-*",
    "windows": ["1h"],
    "gates": {
        "no-tool-errors": "no_tool_errors",
        "looks-up": {"called_tool": "lookup"},
        "never-deletes": {"did_not_call": "delete_user"},
        "few-calls": {"max_tool_calls": 5},
    },
    "scorers": {
        "names-city": {"includes": "Brooklyn"},
        "no-apology": {"excludes": "I am sorry"},
        "has-degrees": {"matches": r"\d+ °F", "sampling": 0.5},
        "house-style": {"similarity": "In Brooklyn it is sunny at 72 °F.", "sampling": 0.1},
    },
}


def write_config(folder: Path, address: str, runs: str, scores: str, group: str) -> None:
    """A configuration that reads one topic from its start and writes another."""
    (folder / "agents").mkdir(parents=True)
    worker: dict[str, Any] = {
        "kafka": {"bootstrap_servers": address, "group_id": group, "start": "earliest"},
        "topics": {
            "runs": [runs],
            "scores": scores,
            "verdicts": f"{scores}-verdicts",
            "dead_letters": f"{scores}-dead-letters",
            "partitions": PARTITIONS,
        },
        "windows": {"1h": {"min_samples": 20}},
        "web": {"port": 0},
    }
    (folder / "worker.yaml").write_text(yaml.safe_dump(worker))
    (folder / "agents" / "agent.yaml").write_text(yaml.safe_dump(_AGENT))


def plan_of(folder: Path) -> Plan:
    """The plan that the configuration makes."""
    return build_plan(load_config(folder, {}))


def made_runs(count: int) -> Iterator[tuple[bytes, bytes]]:
    """Key and value of each run."""
    now_ms = time.time_ns() // 1_000_000
    filler = "The forecast comes from three stations and was checked against the radar. " * 26
    for number in range(count):
        agent = f"agent-{number % AGENTS:02}"
        tools = [{"id": f"c{number}", "name": "lookup", "args": {"city": "Brooklyn"}, "result": {}}]
        run = {
            "run_id": f"run-{number}",
            "agent_id": agent,
            "timestamp": now_ms,
            "input": "What is the weather like in Brooklyn?",
            "output": [
                {"role": "assistant", "text": "", "tool_invocations": tools},
                {"role": "assistant", "text": f"In Brooklyn it is sunny at 72 °F. {filler}"},
            ],
        }
        yield agent.encode(), orjson.dumps(run)


def scores_of(value: bytes, source: Source, plan: Plan) -> list[bytes]:
    """Decode, score and encode one run: the work without Kafka."""
    decoded = decode(value, None, _LIMITS)
    if not isinstance(decoded, Decoded):
        raise TypeError(f"a run of the benchmark cannot be read: {decoded}")
    now_ms = time.time_ns() // 1_000_000
    outcome = process(decoded.run, source, plan, now_ms)
    return [encode_score(score) for score in outcome.scores]

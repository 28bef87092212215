"""What every contender does: the same runs, the same scorers, the same scores out."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import yaml

from live_scoring.config import load_config
from live_scoring.core.batch import process
from live_scoring.core.pipeline import Plan
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Source
from live_scoring.formats import Decoded, Limits, decode
from live_scoring.formats.score_json import encode_scores
from live_scoring.wiring import build_plan

AGENTS = 12
PARTITIONS = 4
SCORERS = 8
KIB_OF_A_RUN = 2.5
SESSION_SECONDS, HEARTBEAT_SECONDS = 4, 1
"""The embedded broker lets a group's first member wait half a session for others to join."""

_LIMITS = Limits(4 * 1024 * 1024, 100)
_SENTENCE = "The forecast comes from three stations and was checked against the radar. "
_GATES = {
    "no-tool-errors": "no_tool_errors",
    "looks-up": {"called_tool": "lookup"},
    "never-deletes": {"did_not_call": "delete_user"},
    "few-calls": {"max_tool_calls": 5},
}
_SCORERS = {
    "names-city": {"includes": "Brooklyn"},
    "no-apology": {"excludes": "I am sorry"},
    "has-degrees": {"matches": r"\d+ °F", "sampling": 0.5},
    "house-style": {"similarity": "In Brooklyn it is sunny at 72 °F.", "sampling": 0.1},
}


def agent_of(scorers: int = SCORERS) -> dict[str, Any]:
    """An agent's configuration with so many scorers: the eight, again and again."""
    rounds = range(-(-scorers // SCORERS))
    gates = [(f"{name}-{n}" if n else name, rule) for n in rounds for name, rule in _GATES.items()]
    more = [(f"{name}-{n}" if n else name, rule) for n in rounds for name, rule in _SCORERS.items()]
    half = scorers - scorers // 2
    return {
        "agent": "agent-*",
        "windows": ["1h"],
        "gates": dict(gates[:half]),
        "scorers": dict(more[: scorers - half]),
    }


def state_topics(scores: str) -> tuple[str, str]:
    """Where a worker keeps the verdicts and panes of a topic of scores."""
    return f"{scores}-verdicts", f"{scores}-panes"


def write_config(
    folder: Path, address: str, names: tuple[str, str, str], scorers: int = SCORERS
) -> None:
    """A configuration that reads one topic from its start and writes another.

    Args:
        folder: Where to.
        address: The broker's.
        names: Of the topic of runs, the topic of scores, and the group.
        scorers: How many the agents have.
    """
    runs, scores, group = names
    verdicts, panes = state_topics(scores)
    (folder / "agents").mkdir(parents=True)
    worker: dict[str, Any] = {
        "kafka": {
            "bootstrap_servers": address,
            "group_id": group,
            "start": "earliest",
            "session_timeout_seconds": SESSION_SECONDS,
            "heartbeat_interval_seconds": HEARTBEAT_SECONDS,
            "fetch_max_wait_ms": 20,  # the embedded broker holds every fetch so long
        },
        "topics": {
            "runs": [runs],
            "scores": scores,
            "verdicts": verdicts,
            "dead_letters": f"{scores}-dead-letters",
            "panes": panes,
            "partitions": PARTITIONS,
        },
        "windows": {"1h": {"min_samples": 20}},
        "web": {"port": 0},
    }
    (folder / "worker.yaml").write_text(yaml.safe_dump(worker))
    (folder / "agents" / "agent.yaml").write_text(yaml.safe_dump(agent_of(scorers)))


def plan_of(folder: Path) -> Plan:
    """The plan that the configuration makes."""
    return build_plan(load_config(folder, {}))


def made_runs(
    count: int, kib: float = KIB_OF_A_RUN, agents: int = AGENTS
) -> Iterator[tuple[bytes, bytes]]:
    """Key and value of each run, of about so many KiB."""
    now_ms = time.time_ns() // 1_000_000
    filler = filler_of(kib)
    for number in range(count):
        agent = f"agent-{number % agents:02}"
        yield agent.encode(), a_run(number, agent, now_ms, filler)


def filler_of(kib: float = KIB_OF_A_RUN) -> str:
    """What a run says beside the weather, to be of about so many KiB."""
    return _SENTENCE * max(0, round((kib * 1024 - 500) / len(_SENTENCE)))


def a_run(number: int, agent: str, at_ms: int, filler: str) -> bytes:
    """One run that ended at a moment, in milliseconds since the epoch."""
    tools = [{"id": f"c{number}", "name": "lookup", "args": {"city": "Brooklyn"}, "result": {}}]
    run = {
        "run_id": f"run-{number}",
        "agent_id": agent,
        "timestamp": at_ms,
        "input": "What is the weather like in Brooklyn?",
        "output": [
            {"role": "assistant", "text": "", "tool_invocations": tools},
            {"role": "assistant", "text": f"In Brooklyn it is sunny at 72 °F. {filler}"},
        ],
    }
    return orjson.dumps(run)


def run_of(value: bytes) -> AgentRun:
    """Decode one run."""
    decoded = decode(value, None, _LIMITS)
    if not isinstance(decoded, Decoded):
        raise TypeError(f"a run of the benchmark cannot be read: {decoded}")
    return decoded.run


def scores_of(value: bytes, source: Source, plan: Plan) -> list[bytes]:
    """Decode, score and encode one run: the work without Kafka, as one is given it by a peer."""
    now_ms = time.time_ns() // 1_000_000
    outcome = process(run_of(value), source, plan, now_ms)
    return encode_scores(outcome.scores) if outcome.scores else []


def mark() -> bytes:
    """What one that only reads writes in place of a score: the time."""
    now = datetime.fromtimestamp(time.time(), UTC)
    return orjson.dumps({"scored_at": now.isoformat()})

"""Single runs for tests that need a few."""

import time
from collections.abc import Iterable
from typing import Any

import orjson

from tests.integration.lab import PARTITIONS
from tests.integration.topics import Sending


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def native_run(run_id: str, agent_id: str, text: str = "fine", **fields: Any) -> Sending:
    """A run that ended now, on a partition that its agent has no say in."""
    run = {
        "run_id": run_id,
        "agent_id": agent_id,
        "timestamp": now_ms(),
        "output": [{"role": "assistant", "text": text}],
    }
    return Sending(orjson.dumps(run | fields), len(run_id + text) % PARTITIONS)


def runs_saying(agent_id: str, texts: Iterable[str], name: str = "run") -> list[Sending]:
    """A run for each text, with ids of their own."""
    return [native_run(f"{name}-{number}", agent_id, text) for number, text in enumerate(texts)]

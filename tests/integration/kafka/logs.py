"""What a worker has logged."""

from typing import Any

import orjson

from tests.integration.workers import Worker


def logged(worker: Worker, message: str) -> list[dict[str, Any]]:
    """The lines with this message, as their fields."""
    lines = worker.log.read_bytes().splitlines()
    return [line for line in map(orjson.loads, lines) if line["message"] == message]


def reason_to_end(worker: Worker) -> str:
    """Why a worker ended by itself: the one line that it logs for that."""
    assert worker.process.wait(60) == 1
    (line,) = logged(worker, "cannot go on")
    return str(line["error"])

"""Reads the pages of the demo's worker: verdicts and figures, as any user could."""

import asyncio
import json
import re
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from live_scoring.core.verdict import VerdictState

_SERIES = re.compile(r"live_scoring_(?P<name>\w+)\{(?P<labels>.*)\} (?P<value>\S+)")
_LABEL = re.compile(r'(\w+)="([^"]*)"')
_TIMEOUT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class VerdictView:
    """The newest verdict of one agent's window."""

    agent_id: str
    window: str
    verdict: VerdictState
    trouble: str
    """The first failing rule and why; empty if none fails."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What the metrics page says."""

    samples: Mapping[str, int]
    """Runs in the window, by agent."""
    runs: Mapping[str, int]
    """Runs scored since the start, by agent."""
    consumed: int
    published: int
    dead_letters: int


class WorkerPages:
    """The pages of a worker that serves on this machine."""

    def __init__(self, port: int) -> None:
        """Name the worker by its port."""
        self.url = f"http://127.0.0.1:{port}"

    async def is_ready(self) -> bool:
        """Whether the worker reads and judges; False also while it does not answer."""
        try:
            await self._get("/readyz")
        except OSError:
            return False
        return True

    async def verdicts(self) -> Sequence[VerdictView]:
        """The newest verdict of every agent and window."""
        return [
            view_of(record) for record in json.loads(await self._get("/api/verdicts"))["verdicts"]
        ]

    async def figures(self) -> Figures:
        """What the metrics page counts."""
        return read_figures((await self._get("/metrics")).decode())

    async def _get(self, path: str) -> bytes:
        def read() -> bytes:
            # The scheme is http and the host this machine: no file can be meant.
            with urllib.request.urlopen(self.url + path, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
                return bytes(answer.read())

        return await asyncio.to_thread(read)


def view_of(record: Mapping[str, Any]) -> VerdictView:
    """The view of a record of the verdicts topic."""
    return VerdictView(
        record["agent_id"],
        record["window"],
        record["verdict"],
        next((_trouble(r) for r in record["gates"] + record["thresholds"] if _failed(r)), ""),
    )


def _failed(rule: Mapping[str, Any]) -> bool:
    return bool(rule["status"] == "failed")


def _trouble(rule: Mapping[str, Any]) -> str:
    examples = rule.get("examples") or [{"reason": f"{rule['failures']} of {rule['samples']} runs"}]
    return f"{rule['name']}: {examples[0]['reason']}"


def read_figures(page: str) -> Figures:
    """The figures of a metrics page in the text format."""
    series = list(_read(page))

    def total(name: str) -> int:
        return sum(value for found, _, value in series if found == name)

    return Figures(
        samples=_largest(series, "window_samples"),
        runs=_largest(series, "scorer_outcomes_total"),
        consumed=total("runs_consumed_total"),
        published=total("scores_published_total"),
        dead_letters=total("dead_letters_total"),
    )


Series = tuple[str, Mapping[str, str], int]


def _read(page: str) -> Iterator[Series]:
    """The worker's series; no label of the demo holds a quote or a backslash."""
    for found in _SERIES.finditer(page):
        value = float(found["value"])
        if value.is_integer():
            yield found["name"], dict(_LABEL.findall(found["labels"])), int(value)


def _largest(series: Sequence[Series], name: str) -> Mapping[str, int]:
    """By agent the sum of its busiest scorer, which is the one that no sampling thins out."""
    sums: dict[tuple[str, str], int] = {}
    for found, labels, value in series:
        if found == name:
            key = labels["agent"], labels["scorer"]
            sums[key] = sums.get(key, 0) + value
    largest: dict[str, int] = {}
    for (agent, _), value in sums.items():
        largest[agent] = max(largest.get(agent, 0), value)
    return largest

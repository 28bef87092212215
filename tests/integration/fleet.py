"""20,000 runs of 12 agents as they come in real life, and what must become of them.

What is expected follows from how each run is made; nothing of the worker is asked.
"""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from live_scoring.core.verdict import Gate, Rule, Threshold
from tests.integration.lab import PARTITIONS, WINDOW
from tests.integration.topics import Sending
from tests.offline_model import ScoreFact

RUNS = 20_000
AGENTS = tuple(f"agent-{number:02}" for number in range(12))
RULES: tuple[Rule, ...] = (
    Gate("no-tool-errors"),
    Gate("looks-up", pass_ratio=0.7, min_failures=3),
    Threshold("has-bc", min=0.6),
    Threshold("close", min=0.2, max=0.99),
)

_SPAN_MS = 240_000
_DISORDER_MS = 60_000
_TEXTS = (("abcd", 1.0, 1.0), ("abce", 1.0, 4 / 6), ("wxyz", 0.0, 0.0))
"""A text, whether it has `bc`, and its bigram Dice with `abcd`."""


def configuration() -> Iterator[Mapping[str, Any]]:
    """Half of the agents have a file of their own, the others share one."""
    for name in (*AGENTS[:6], "agent-*"):
        yield {
            "agent": name,
            "windows": [WINDOW],
            "gates": {
                "no-tool-errors": "no_tool_errors",
                "looks-up": {
                    "called_tool": "lookup",
                    "require": {"pass_ratio": 0.7, "min_failures": 3},
                },
            },
            "scorers": {
                "has-bc": {"includes": "bc", "threshold": 0.6},
                "close": {
                    "similarity": "abcd",
                    "sampling": 0.5,
                    "threshold": {"min": 0.2, "max": 0.99},
                },
            },
        }


@dataclass(frozen=True, slots=True)
class FleetRun:
    """The nth run."""

    number: int
    at_ms: int

    @property
    def agent(self) -> str:
        return AGENTS[self.number % len(AGENTS)]

    @property
    def turn(self) -> int:
        """How many runs its agent had before."""
        return self.number // len(AGENTS)

    @property
    def run_id(self) -> str:
        return f"run-{self.number}"

    @property
    def fails(self) -> bool:
        return self.number % 2 == 1 and self.turn % 11 == 0

    @property
    def looks_up(self) -> bool:
        return self.turn % (3 + self.number % 3) != 0

    @property
    def is_drawn(self) -> bool:
        """Whether a sampling of a half draws it."""
        digest = hashlib.sha256(self.run_id.encode()).digest()
        return int.from_bytes(digest[:6], "big") / 2**48 < 0.5

    def encoded(self) -> bytes:
        tool = {"name": "lookup" if self.looks_up else "guess", "is_error": self.fails}
        text = _TEXTS[self.turn % 3][0]
        return orjson.dumps(
            {
                "run_id": self.run_id,
                "agent_id": self.agent,
                "timestamp": self.at_ms,
                "input": "Which letters?",
                "output": [{"role": "assistant", "text": text, "tool_invocations": [tool]}],
            }
        )

    def facts(self) -> Iterator[ScoreFact]:
        _, has_bc, close = _TEXTS[self.turn % 3]
        yield self._fact("no-tool-errors", 1.0 - self.fails)
        yield self._fact("looks-up", 1.0 * self.looks_up)
        yield self._fact("has-bc", has_bc)
        if self.is_drawn:
            yield self._fact("close", close)

    def _fact(self, scorer: str, score: float) -> ScoreFact:
        return ScoreFact(self.agent, "", scorer, self.run_id, self.at_ms, "scored", score)


@dataclass(frozen=True, slots=True)
class Fleet:
    """Everything that is sent, in the order of sending, and what must come of it."""

    records: tuple[Sending, ...]
    facts: tuple[ScoreFact, ...]
    malformed: frozenset[bytes]

    def part(self, number: int, of: int) -> tuple[Sending, ...]:
        """One of equal parts of the records, counted from 0."""
        size = -(-len(self.records) // of)
        return self.records[number * size : (number + 1) * size]


def make_fleet(now_ms: int, runs: int = RUNS) -> Fleet:
    """Runs that ended in the five minutes before now, 5 % of them sent twice, 1 % malformed."""
    begin_ms = now_ms - _DISORDER_MS - _SPAN_MS
    made = [FleetRun(number, begin_ms + number * _SPAN_MS // runs) for number in range(runs)]
    malformed = [(run.at_ms, _malformed(run)) for run in made if run.number % 100 == 50]
    sent = [(run.at_ms, run.encoded()) for run in made]
    again = [(run.at_ms, run.encoded()) for run in made if run.number % 20 == 7]
    disordered = sorted(
        (at_ms + _chance("delay", index) % _DISORDER_MS, index, value)
        for index, (at_ms, value) in enumerate([*sent, *again, *malformed])
    )
    return Fleet(
        tuple(Sending(value, _chance("to", index) % PARTITIONS) for _, index, value in disordered),
        tuple(fact for run in made for fact in run.facts()),
        frozenset(value for _, value in malformed),
    )


def _malformed(run: FleetRun) -> bytes:
    whole = run.encoded()
    kinds = (
        whole[:-9],
        b"\xff\xfe" + run.run_id.encode(),
        orjson.dumps([run.run_id]),
        orjson.dumps({"run_id": run.run_id, "output": []}),
    )
    return kinds[run.turn % len(kinds)]


def _chance(salt: str, number: int) -> int:
    """The same in every test run."""
    return zlib.crc32(f"{salt}-{number}".encode())

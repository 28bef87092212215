"""What is measured, under which name, and what is compared with what."""

import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.benchmarks.contest import Contender, Runs
from tests.benchmarks.figures import Figures

PEERS_PYTHON = ".venv-peers/bin/python"
"""An environment for peers that want other versions of our dependencies; `make bench` makes it."""
NODE_MODULES = Path(".venv-peers/node_modules")
"""The reference's own packages."""
LARGE_KIB = 20
_LARGE = f"_{LARGE_KIB}kb"
_SLOW_SHARE, _LARGE_SHARE = 10, 4
"""Of the runs that others are given, one in so many: to Faust, and where runs are large."""
_PASSES = 16
"""So often the runs are read by those who only read, for whom it would be over in a moment."""

RATIOS = (
    ("worker", "quixstreams"),
    ("worker", "bytewax"),
    ("worker", "faust"),
    ("worker", "aiokafka_send"),
    ("worker", "aiokafka_consume"),
    ("worker", "confluent_consume"),
    ("worker", "scoring_alone"),
    ("whole", "scoring"),
    ("replay", "worker"),
)
_ALIASES = {"scoring": "worker"}
"""`whole_vs_scoring` compares with the worker that scores only."""


def contenders(count: int) -> Iterator[Contender]:
    """All that need a broker, given so many runs of 2.5 KB, and fewer of 20 KB."""
    yield from _for(Runs(count, 2.5), "")
    peer = "tests.benchmarks.peers."
    few = Runs(max(1, count // _SLOW_SHARE), 2.5)
    yield Contender("faust", (f"{peer}faust_agent",), few)
    yield from _for(Runs(max(1, count // _LARGE_SHARE), LARGE_KIB), _LARGE)


def _for(runs: Runs, suffix: str) -> Iterator[Contender]:
    scoring = ("live_scoring", "run", "--only", "scoring")
    yield Contender(f"worker{suffix}", scoring, runs)
    yield Contender(f"whole{suffix}", ("live_scoring", "run"), runs)
    yield Contender(f"replay{suffix}", ("live_scoring", "replay"), runs)
    for name, module, python, passes in (
        ("aiokafka_send", "aiokafka_send", sys.executable, 0),
        ("quixstreams", "quix", PEERS_PYTHON, 0),
        ("bytewax", "bytewax_flow", PEERS_PYTHON, 0),
        ("aiokafka_consume", "aiokafka_consume", sys.executable, _PASSES),
        ("confluent_consume", "confluent_consume", PEERS_PYTHON, _PASSES),
    ):
        command = (f"tests.benchmarks.peers.{module}",)
        yield Contender(f"{name}{suffix}", command, runs, python, passes)


def absent(contender: Contender) -> str | None:
    """Why a contender cannot be measured here; None if it can."""
    if not Path(contender.python).exists():
        return f"{contender.python} is not there, where `make bench` installs the peers"
    return None


def reference_absent() -> str | None:
    """Why the reference's own checks cannot be measured here; None if they can."""
    if shutil.which("node") is None:
        return "Node is not installed"
    if not (NODE_MODULES / "@mastra" / "evals").is_dir():
        return f"{NODE_MODULES} is not there, where `make bench` installs the reference"
    return None


def ratios_of(rows: Mapping[str, Figures]) -> dict[str, float]:
    """How many times as fast the one is as the other, wherever both were measured."""
    found = {name: one.runs_per_s / other.runs_per_s for name, one, other in _pairs(rows)}
    for name, figures in rows.items():
        if theirs := rows.get(f"{name}_in_javascript"):
            found[f"{name}_vs_javascript"] = figures.runs_per_s / theirs.runs_per_s
    return found


def cpu_ratios_of(rows: Mapping[str, Figures]) -> dict[str, float]:
    """The same by processor time: how many times the one's time for a run the other takes."""
    return {
        name: other.cpu_us_per_run / one.cpu_us_per_run
        for name, one, other in _pairs(rows)
        if one.cpu_us_per_run and other.cpu_us_per_run
    }


def _pairs(rows: Mapping[str, Figures]) -> Iterator[tuple[str, Figures, Figures]]:
    for suffix in ("", _LARGE):
        for one, other in RATIOS:
            mine = rows.get(one + suffix)
            theirs = rows.get(_ALIASES.get(other, other) + suffix)
            if mine and theirs:
                yield f"{one}_vs_{other}{suffix}", mine, theirs

"""What a benchmark run found, as tables and as JSON."""

import json
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.benchmarks.figures import Figures


@dataclass(frozen=True, slots=True)
class Report:
    """Medians of one benchmark run."""

    rows: Mapping[str, Figures]
    ratios: Mapping[str, float]
    """How many times as fast the one is as the other."""
    cpu_ratios: Mapping[str, float]
    """How many times the one's processor time for a run the other takes, by the same names."""
    more: Mapping[str, float]
    """Figures that have a target and are no ratio."""
    left_out: Mapping[str, str]
    """What could not be measured here, and why."""
    rounds: int

    @property
    def machine(self) -> str:
        """Where and how it was measured."""
        load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
        return (
            f"{platform.platform()}, {os.cpu_count()} cores, Python {sys.version.split()[0]}, "
            f"load {load}, medians of {self.rounds} alternating rounds"
        )


def print_report(report: Report, console: Console) -> None:
    """Ratios first, then what they are made of, then what has a target of its own."""
    ratios = Table("ratio", "times as fast", "by CPU")
    for name, ratio in report.ratios.items():
        by_cpu = report.cpu_ratios.get(name)
        ratios.add_row(name, f"{ratio:.2f}", "" if by_cpu is None else f"{by_cpu:.2f}")
    rows = Table("row", "runs/s", "CPU µs/run", "peak MB")
    for name, f in report.rows.items():
        rows.add_row(name, f"{f.runs_per_s:,.0f}", _shown(f.cpu_us_per_run), _shown(f.peak_mb))
    more = Table("figure", "")
    for name, number in report.more.items():
        more.add_row(name, f"{number:,.3f}" if number < 10 else f"{number:,.0f}")
    console.print(ratios, rows, more)
    for name, reason in report.left_out.items():
        console.print(f"{name}: left out: {reason}")
    console.print(report.machine)


def write_json(report: Report, path: Path) -> None:
    """Keep it in a file."""
    content = {**asdict(report), "machine": report.machine}
    path.write_text(json.dumps(content, indent=2) + "\n")


def _shown(number: float | None) -> str:
    return "" if number is None else f"{number:,.1f}"

"""The report: what it prints in which order, and what the file holds."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from tests.benchmarks.figures import Figures
from tests.benchmarks.report import Report, print_report, write_json


@pytest.fixture
def report() -> Report:
    return Report(
        rows={"worker": Figures(6_543.2, 108.2, 129.1), "equals": Figures(1e6)},
        ratios={"worker_vs_quixstreams": 1.061, "equals_vs_javascript": 439.0},
        cpu_ratios={"worker_vs_quixstreams": 1.234},
        more={"latency_p50_seconds": 0.0314, "million_runs_peak_mb": 312.4},
        left_out={"bytewax": "it is not there"},
        rounds=3,
    )


def printed(report: Report) -> str:
    console = Console(file=io.StringIO(), width=200)
    print_report(report, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_ratios_come_first_then_rows_then_single_figures(report: Report) -> None:
    shown = printed(report)
    places = [shown.index(text) for text in ("1.06", "6,543", "0.031", "bytewax: left out")]
    assert places == sorted(places)


def test_a_ratio_stands_beside_that_by_processor_time(report: Report) -> None:
    (line,) = [line for line in printed(report).splitlines() if "worker_vs_quix" in line]
    assert [cell.strip() for cell in line.split("│")[1:-1]] == [
        "worker_vs_quixstreams",
        "1.06",
        "1.23",
    ]


def test_the_file_holds_every_row_and_ratio(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "bench.json"
    write_json(report, path)
    content = json.loads(path.read_text())
    assert content["rows"] == {
        "worker": {"runs_per_s": 6_543.2, "cpu_us_per_run": 108.2, "peak_mb": 129.1},
        "equals": {"runs_per_s": 1e6, "cpu_us_per_run": None, "peak_mb": None},
    }
    assert content["ratios"] == {"worker_vs_quixstreams": 1.061, "equals_vs_javascript": 439.0}
    assert content["cpu_ratios"] == {"worker_vs_quixstreams": 1.234}
    assert content["more"]["latency_p50_seconds"] == 0.0314

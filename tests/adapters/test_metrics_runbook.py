"""The runbook's table of metrics matches the code, and promtool accepts the page."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from live_scoring.adapters.metrics.families import FAMILIES, PREFIX
from tests.adapters.fed_metrics import OPENMETRICS, families, fed_metrics

README = (Path(__file__).parents[2] / "deploy" / "README.md").read_text(encoding="utf-8")
OWN_LABELS = {"histogram": {"le"}}
"""Labels that a kind brings along."""
SUFFIXES = {"counter": "_total", "info": "_info"}

Row = tuple[str, str, frozenset[str], str]


def documented() -> set[Row]:
    rows = re.findall(rf"^\| `({PREFIX}\w+)` \| (\w+) \|(.*?)\| (.*) \|$", README, re.MULTILINE)
    return {
        (name, kind, frozenset(re.findall(r"`(\w+)`", labels)), text)
        for name, kind, labels, text in rows
    }


def rendered() -> set[Row]:
    return {
        (
            family.name + SUFFIXES.get(family.type, ""),
            family.type,
            frozenset(family.samples[0].labels.keys() - OWN_LABELS.get(family.type, set())),
            family.documentation,
        )
        for family in families(fed_metrics(), OPENMETRICS)
    }


def test_the_table_is_what_a_worker_shows() -> None:
    assert documented() == rendered()
    assert len(FAMILIES) == len(rendered())


def test_every_series_of_a_family_has_the_same_labels() -> None:
    for family in families(fed_metrics(), OPENMETRICS):
        assert len({frozenset(s.labels.keys() - {"le"}) for s in family.samples}) == 1


def test_promtool_accepts_the_page() -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not installed (Debian: package prometheus)")
    page, _ = fed_metrics().render()
    command = [program, "check", "metrics"]
    done = subprocess.run(command, input=page, capture_output=True, check=False)  # noqa: S603 -- promtool
    assert (done.returncode, done.stdout + done.stderr) == (0, b"")

"""Rows of checks alone: the reference's own runs where it is told to, from wherever one stands."""

import os
import shutil
from pathlib import Path

import pytest

from tests.benchmarks import checks_alone
from tests.benchmarks.rows import NODE_MODULES
from tests.deploy.tools import UnavailableError, node_packages

MAKEFILE = Path(__file__).parents[2] / "Makefile"


def reference() -> Path:
    """Its packages as `make bench` installs them; a test machine fetches the same ones."""
    if NODE_MODULES.is_dir():
        return NODE_MODULES
    wanted = [word for word in MAKEFILE.read_text().split() if word.startswith("@mastra/")]
    try:
        return node_packages(*wanted) / "node_modules"
    except UnavailableError as reason:
        pytest.skip(f"the reference: {reason}")


def test_the_reference_is_measured_on_every_check_that_ours_are() -> None:
    if shutil.which("node") is None:
        pytest.skip("the reference: there is no node on this machine")
    relative = Path(os.path.relpath(reference()))  # which is how `make bench` names it
    theirs = checks_alone.measure_theirs(relative)
    assert theirs.keys() == checks_alone.measure_ours().keys()
    assert all(figures.runs_per_s > 0 for figures in theirs.values())

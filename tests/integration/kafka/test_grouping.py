"""Tests that share a broker run in one process: else each process starts one of its own."""

import os

import pytest


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="tests run one by one")
def test_groups_stay_together(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@kafka")

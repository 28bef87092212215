from pathlib import Path

import pytest

from tests.chaos.plan import plan_round
from tests.chaos.rounds import Round
from tests.integration.kafka.cluster import Cluster

pytestmark = [
    pytest.mark.integration,
    pytest.mark.kafka,
    pytest.mark.xdist_group("cluster"),  # three nodes are enough
]

SEED = 1


@pytest.mark.parametrize("number", range(3))
def test_no_fault_loses_a_run_or_counts_one_twice(
    cluster: Cluster, number: int, tmp_path: Path
) -> None:
    played = Round(cluster, f"round-{number}", tmp_path).play(plan_round(SEED, number))
    assert not played.mismatches

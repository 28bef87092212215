"""Where in a partition one begins that reads the runs again and again."""

import pytest

from tests.benchmarks.task import Task


def reading(runs: int) -> Task:
    return Task("localhost:9092", "runs", "scores", "group", "config", runs, 16)


@pytest.mark.parametrize("runs", [1, 3, 4, 7, 30_000])
def test_partitions_hold_all_runs_between_them(runs: int) -> None:
    assert sum(reading(runs).end_of(partition) for partition in range(4)) == runs


def test_no_two_partitions_end_together() -> None:
    task = reading(4_000)
    assert [task.first_of(partition) for partition in range(4)] == [0, 250, 500, 750]

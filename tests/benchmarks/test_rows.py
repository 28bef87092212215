"""Rows of the table: what is compared with what."""

import pytest

from tests.benchmarks.figures import Figures
from tests.benchmarks.rows import contenders, cpu_ratios_of, ratios_of

ROWS = {
    "worker": Figures(6_000, 100),
    "whole": Figures(3_000, 200),
    "replay": Figures(9_000, 80),
    "quixstreams": Figures(4_000, 150),
    "aiokafka_consume": Figures(120_000, 4),
}


def test_a_ratio_says_how_many_times_as_fast_the_first_is() -> None:
    assert ratios_of(ROWS) == {
        "worker_vs_quixstreams": 1.5,
        "worker_vs_aiokafka_consume": 0.05,
        "whole_vs_scoring": 0.5,
        "replay_vs_worker": 1.5,
    }


def test_by_processor_time_too_more_is_better() -> None:
    assert cpu_ratios_of(ROWS) == {
        "worker_vs_quixstreams": 1.5,
        "worker_vs_aiokafka_consume": 0.04,
        "whole_vs_scoring": 0.5,
        "replay_vs_worker": 1.25,
    }


def test_large_runs_are_compared_among_themselves() -> None:
    rows = ROWS | {"worker_20kb": Figures(100, 10), "quixstreams_20kb": Figures(50, 40)}
    assert ratios_of(rows)["worker_vs_quixstreams_20kb"] == 2
    assert cpu_ratios_of(rows)["worker_vs_quixstreams_20kb"] == 4


def test_a_check_is_compared_with_the_references_own() -> None:
    rows = {"equals": Figures(100), "equals_in_javascript": Figures(25)}
    assert ratios_of(rows) == {"equals_vs_javascript": 4}
    assert cpu_ratios_of(rows) == {}


def test_what_used_too_little_processor_time_to_tell_has_no_ratio_by_it() -> None:
    rows = {"worker": Figures(10, 5), "quixstreams": Figures(10, 0)}
    assert cpu_ratios_of(rows) == {}


@pytest.mark.parametrize("count", [1, 10, 40_000])
def test_every_contender_has_a_name_and_runs_of_its_own(count: int) -> None:
    found = list(contenders(count))
    assert len({c.name for c in found}) == len(found)
    assert all(c.runs.count >= 1 for c in found)


def test_who_only_reads_does_so_often_enough_to_be_measured() -> None:
    readers = {c.name: c.passes for c in contenders(100) if "consume" in c.name}
    assert len(readers) == 4
    assert min(readers.values()) > 1

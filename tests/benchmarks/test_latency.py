"""Delays of runs: exactly until their scores were sent, and from there as the histogram allows."""

import math

import orjson
import pytest

from tests.benchmarks.latency import Confirmed, delays, quantiles_of


def score(run: int, ended: str = "1970-01-01T00:00:10.250Z") -> bytes:
    return orjson.dumps({"run_id": f"run-{run}", "run_timestamp": ended})


def confirmed(runs: int, mean: float, within: dict[float, int]) -> Confirmed:
    return Confirmed(runs, runs * mean, {**within, math.inf: runs})


def test_a_run_is_sent_with_its_last_score() -> None:
    written = [(10_300, score(1)), (10_500, score(2)), (10_750, score(1))]
    assert delays(written, 0) == [0.5, 0.25]


def test_runs_of_the_warming_up_are_left_out() -> None:
    assert delays([(10_300, score(1)), (10_500, score(2))], 2) == [0.25]


def test_the_wait_for_the_confirmation_is_added() -> None:
    within = {0.025: 0, 0.05: 100, 0.1: 100, 0.25: 100}
    found = quantiles_of(confirmed(100, 0.04, within), [0.030] * 100)
    assert found["latency_p50_seconds"] == pytest.approx(0.040)
    assert found["latency_p99_seconds"] == pytest.approx(0.040)


def test_a_quantile_lies_where_the_histogram_has_it() -> None:
    within = {0.025: 0, 0.05: 60, 0.1: 98, 0.25: 100}
    found = quantiles_of(confirmed(100, 0.06, within), [0.04] * 100)
    assert found["latency_p50_seconds"] == pytest.approx(0.05)
    assert found["latency_p99_seconds"] == pytest.approx(0.1)


def test_shares_within_the_two_targets_are_exact() -> None:
    within = {0.05: 60, 0.25: 99}
    found = quantiles_of(confirmed(100, 0.06, within), [0.04] * 100)
    assert found["latency_share_within_50_ms"] == 0.6
    assert found["latency_share_within_250_ms"] == 0.99


def test_what_comes_between_two_looks_is_their_difference() -> None:
    before, after = confirmed(10, 0.5, {0.05: 4}), confirmed(30, 0.3, {0.05: 20})
    since = after.since(before)
    assert (since.runs, since.within) == (20, {0.05: 16, math.inf: 20})
    assert since.seconds == pytest.approx(4.0)

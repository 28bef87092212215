"""What a sampling rate costs: exactly the scores that the rate draws."""

from pathlib import Path

import pytest

from live_scoring.core.sampling import draw
from tests.backtest.pasts import only_agent, policy, run, tried

RUNS = [run(second) for second in range(200)]
DRAWS = [draw(made["run_id"]) for made in RUNS]


def drawn(rate: float) -> int:
    return sum(u < rate for u in DRAWS)


def test_every_rate_is_counted_run_by_run(tmp_path: Path) -> None:
    new = policy(tmp_path / "new", "{}", "{sunny: {includes: sunny, sampling: 0.3}}")
    agent = only_agent(tried(tmp_path, RUNS, new))
    (cost,) = agent.new.costs
    assert cost.scores == agent.new.scores == drawn(0.3)
    assert cost.at_rates == {1.0: 200, 0.5: drawn(0.5), 0.1: drawn(0.1), 0.01: drawn(0.01)}


def test_failed_runs_that_are_always_scored_cost_at_every_rate(tmp_path: Path) -> None:
    sampling = "{type: ratio, rate: 0.3, always_on_error: true}"
    new = policy(tmp_path / "new", "{}", f"{{sunny: {{includes: sunny, sampling: {sampling}}}}}")
    failed = [made | {"error": "away"} for made in RUNS[:50]]
    (cost,) = only_agent(tried(tmp_path, failed, new)).new.costs
    assert {cost.scores, *cost.at_rates.values()} == {50}


@pytest.mark.parametrize("wanted", ["weather-*", "other-*"])
def test_a_run_that_a_filter_keeps_away_costs_nothing(tmp_path: Path, wanted: str) -> None:
    filtered = f"{{includes: sunny, filter: {{agent: {wanted}}}}}"
    new = policy(tmp_path / "new", "{}", f"{{all: {{includes: x}}, some: {filtered}}}")
    costs = {cost.scorer: cost.scores for cost in only_agent(tried(tmp_path, RUNS, new)).new.costs}
    assert costs == {"all": 200} | ({"some": 200} if wanted == "weather-*" else {})


def test_what_the_old_policy_writes_is_told_beside(tmp_path: Path) -> None:
    new = policy(tmp_path / "new", "{}", "{sunny: {includes: sunny, sampling: 0.5}}")
    agent = only_agent(tried(tmp_path, RUNS, new, policy(tmp_path / "old")))
    assert agent.old is not None
    assert (agent.new.scores, agent.old.scores) == (drawn(0.5), 200)

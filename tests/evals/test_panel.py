"""What is refused before anything runs."""

from typing import Any

import pytest

from live_scoring import checks
from live_scoring.evals import EvalError
from tests.evals.telling import scored, telling


def test_a_gate_and_a_scorer_may_share_an_id() -> None:
    assert scored(1, gates=[telling()], scorers=[telling()]).verdict == "passed"


@pytest.mark.parametrize("role", ["gates", "scorers"])
def test_two_of_one_id_are_refused_with_the_remedy(role: str) -> None:
    panel = {role: [checks.includes("a"), checks.includes("b")]}
    with pytest.raises(EvalError, match=f"^{role}: 2 of them are check-includes; .* name="):
        scored(1, **panel)


@pytest.mark.parametrize(
    ("threshold", "message"),
    [
        (1.5, "threshold: 1.5 is out of bounds; give a number from 0 to 1"),
        (float("nan"), "threshold: nan is out of bounds; give a number from 0 to 1"),
        (True, "threshold: True is out of bounds; give a number from 0 to 1"),
        ({"min": -1}, "threshold.min: -1 is out of bounds; give a number from 0 to 1"),
        ({"min": 0.5, "max": 0.4}, "threshold: min 0.5 is above max 0.4; exchange them"),
        ({}, "threshold: has []; give min or max or both"),
        ({"mim": 0.5}, "threshold: has ['mim']; give min or max or both"),
    ],
)
def test_impossible_bounds_are_refused(threshold: Any, message: str) -> None:
    with pytest.raises(EvalError) as caught:
        scored(1, scorers=[(telling(), threshold)])
    assert str(caught.value) == f"scorers: told: {message}"


def test_nothing_to_run_no_data_and_no_concurrency_are_refused() -> None:
    with pytest.raises(EvalError, match="nothing to run"):
        scored(1, scorers=[])
    with pytest.raises(EvalError, match="data: no items"):
        scored()
    with pytest.raises(EvalError, match="concurrency: 0 is below 1"):
        scored(1, concurrency=0)

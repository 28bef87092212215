"""A rule's figures in words."""

from dataclasses import replace

from live_scoring.core.figures import figures_of
from live_scoring.core.verdict import Gate, RuleResult, Threshold

GATE = RuleResult(Gate("polite"), "failed", 2_000, 3, 0, 0.9985)
BOUNDS = RuleResult(Threshold("close", min=0.7, max=0.9), "failed", 40, 0, 0, 0.5)


def test_a_gate_tells_how_many_runs_did_not_pass() -> None:
    assert figures_of(GATE) == "3 of 2,000 runs did not pass"
    assert figures_of(replace(GATE, samples=1, failures=1)) == "1 of 1 run did not pass"
    assert figures_of(replace(GATE, failures=0)) == "2,000 runs passed"


def test_a_gate_that_asks_for_a_share_tells_it() -> None:
    ratio = replace(GATE, rule=Gate("polite", pass_ratio=0.995))
    assert figures_of(ratio) == "3 of 2,000 runs did not pass, at least 0.995 must"
    few = replace(ratio, rule=Gate("polite", pass_ratio=0.995, min_failures=5))
    assert figures_of(few).endswith(", at least 0.995 must or fewer than 5 fail")


def test_a_threshold_tells_its_mean_and_its_bounds() -> None:
    asked = ", at least 0.7 asked, at most 0.9 asked"
    assert figures_of(BOUNDS) == f"average 0.5 of 40 runs{asked}"
    assert figures_of(replace(BOUNDS, samples=0, average=None)) == f"no score{asked}"


def test_a_mean_that_misses_its_bound_by_little_does_not_look_as_if_it_met_it() -> None:
    assert figures_of(replace(BOUNDS, average=0.699999)).startswith("average 0.699999 of")


def test_errors_are_told_and_are_no_runs_that_a_mean_is_of() -> None:
    assert figures_of(replace(GATE, errors=1)).endswith(", 1 error")
    minded = replace(BOUNDS, samples=42, failures=2, errors=2)
    assert figures_of(minded).startswith("average 0.5 of 40 runs, ")
    assert figures_of(minded).endswith(", 2 errors")

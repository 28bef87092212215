"""Scorers that call out, offline: asked as the live worker asks them."""

from pathlib import Path

import pytest

from live_scoring.core.pipeline import Plan
from live_scoring.formats import Decoded, decode
from live_scoring.offline.explanation import explain
from tests.offline.folders import evaluated, only_agent, only_scorer, plan_with, run_line


def plan_asking(folder: Path, more: str = "") -> Plan:
    use = '{use: "tests.own_scorers:greets", with: {greeting: sun}'
    return plan_with(folder, gates=f"{{sunny: {use}{more}}}}}")


@pytest.mark.parametrize("runs", [3, 1_001])
def test_every_run_is_asked_about(runs: int, tmp_path: Path) -> None:
    lines = [run_line(f"run-{n}", "sun" if n else "rain") for n in range(runs)]
    evaluation = evaluated(plan_asking(tmp_path), lines)
    report = only_scorer(evaluation)
    assert (report.tally.scored, report.tally.full) == (runs, runs - 1)
    assert only_agent(evaluation).verdict == "failed"
    assert [example.run_id for example in report.examples] == ["run-0"]


def test_a_run_that_stands_twice_counts_once_and_the_first_counts(tmp_path: Path) -> None:
    lines = [run_line(text="sun"), run_line(text="rain")]
    assert evaluated(plan_asking(tmp_path), lines).verdict == "passed"


def test_what_exceeds_the_budget_is_told_and_fails_a_strict_evaluation(tmp_path: Path) -> None:
    lines = [run_line(f"run-{n}", "sun") for n in range(5)]
    evaluation = evaluated(plan_asking(tmp_path, ", budget_per_minute: 2"), lines)
    assert only_scorer(evaluation).over_budget == 3
    assert evaluation.verdict == "passed"
    assert evaluation.warnings == ("weather-agent: sunny: 3 runs over its budget not scored",)
    assert (evaluation.exit_code(is_strict=False), evaluation.exit_code(is_strict=True)) == (0, 1)


def test_an_explanation_asks_too(tmp_path: Path) -> None:
    decoded = decode(run_line(text="rain"))
    assert isinstance(decoded, Decoded)
    (scorer,) = explain(decoded, plan_asking(tmp_path)).scorers
    assert (scorer.check, scorer.outcome, scorer.score) == ("greets", "scored", 0.0)

"""A file as one window: what counts, what is told, what the command ends with."""

from pathlib import Path

import pytest

from live_scoring.offline.evaluation import Evaluation
from tests.config.folders import agent_of
from tests.offline.folders import (
    evaluated,
    only_agent,
    only_scorer,
    plan_of,
    plan_with,
    run_line,
)

SUNNY = "{sunny: {includes: sun}}"
BOUNDED = "{sunny: {includes: sun, threshold: 0.7}}"


def test_few_runs_are_enough(tmp_path: Path) -> None:
    plan = plan_with(tmp_path, gates="{sunny: {includes: sun, min_samples: 1000}}")
    assert only_agent(evaluated(plan, [run_line(text="sun")])).verdict == "passed"


def test_runs_of_any_age_are_one_window(tmp_path: Path) -> None:
    ends = ["1970-01-01T00:00:00Z", "2999-01-01T00:00:00Z"]
    lines = [run_line(end, "sun", timestamp=end) for end in ends]
    agent = only_agent(evaluated(plan_with(tmp_path, SUNNY), [*lines, run_line("none", "rain")]))
    assert (agent.runs, agent.verdict) == (3, "failed")


def test_a_run_that_stands_twice_counts_once_and_the_first_counts(tmp_path: Path) -> None:
    lines = [run_line(text="sun"), run_line(text="rain"), run_line(text="sun")]
    evaluation = evaluated(plan_with(tmp_path, SUNNY), lines)
    assert (only_agent(evaluation).runs, only_scorer(evaluation).tally.scored) == (1, 1)
    assert evaluation.verdict == "passed"


def test_sampling_applies_and_what_was_not_drawn_is_counted_once(tmp_path: Path) -> None:
    plan = plan_with(tmp_path, gates="{sunny: {includes: sun, sampling: 0.5}}")
    lines = [run_line(f"run-{index}", "sun") for index in range(100)] * 2
    report = only_scorer(evaluated(plan, lines))
    assert 30 < report.sampled_out < 70
    assert report.sampled_out + report.tally.scored == 100


def test_a_run_that_a_filter_passes_over_is_a_run_without_scores(tmp_path: Path) -> None:
    plan = plan_with(tmp_path, gates="{sunny: {includes: sun, filter: {tags: {env: prod}}}}")
    evaluation = evaluated(plan, [run_line(text="rain")])
    assert (only_agent(evaluation).runs, evaluation.verdict) == (1, "no_data")


def test_each_group_is_judged_apart(tmp_path: Path) -> None:
    plan = plan_with(tmp_path, SUNNY, more="split_by: [env]")
    texts = {"prod": "sun", "stage": "rain"}
    lines = [run_line(env, text, tags={"env": env}) for env, text in texts.items()]
    evaluation = evaluated(plan, lines)
    assert [(a.title, a.verdict) for a in evaluation.agents] == [
        ("weather-agent (prod)", "passed"),
        ("weather-agent (stage)", "failed"),
    ]
    assert evaluation.verdict == "failed"


def test_a_failure_names_the_first_runs_and_why(tmp_path: Path) -> None:
    lines = [run_line(f"run-{index}", "sun" if index % 2 else "rain") for index in range(30)]
    report = only_scorer(evaluated(plan_with(tmp_path, SUNNY), lines))
    assert [e.run_id for e in report.examples] == ["run-0", "run-2", "run-4", "run-6", "run-8"]
    assert {e.reason for e in report.examples} == {"output does not contain 'sun'"}


def test_an_error_is_an_example_by_its_type_and_fails_the_gate(tmp_path: Path) -> None:
    plan = plan_with(tmp_path, gates="{safe: {matches: '^(a+)+$'}}")
    report = only_scorer(evaluated(plan, [run_line(text="a" * 40 + "!")]))
    assert report.has_failed
    assert report.result is not None
    assert report.result.cause == "error"
    (example,) = report.examples
    assert example.reason.startswith("PatternTimeout: ")


def test_the_verdict_of_all_is_the_worst(tmp_path: Path) -> None:
    other = {"agents/other.yaml": f"agent: other\nscorers: {BOUNDED}\n"}
    plan = plan_of(tmp_path, agent_of(SUNNY) | other)
    good, missed = run_line(text="sun"), run_line(agent_id="other")
    assert evaluated(plan, [good, missed]).verdict == "scored"
    assert evaluated(plan, [run_line("run-2"), missed]).verdict == "failed"
    assert evaluated(plan, [good]).verdict == "passed"


def test_without_gates_and_thresholds_there_is_no_verdict_and_no_warning(tmp_path: Path) -> None:
    evaluation = evaluated(plan_with(tmp_path, scorers=SUNNY), [run_line(text="sun")])
    assert evaluation.verdict is None
    assert ends(evaluation) == (0, 0)
    assert evaluation.warnings == ()


def ends(evaluation: Evaluation) -> tuple[int, int]:
    return evaluation.exit_code(is_strict=False), evaluation.exit_code(is_strict=True)


def test_a_rule_that_judged_no_run_is_told_and_fails_a_strict_evaluation(tmp_path: Path) -> None:
    unseen = "{sunny: {includes: sun}, cheap: {max_cost: 1}, rare: {includes: sun, sampling: 0}}"
    evaluation = evaluated(plan_with(tmp_path, unseen), [run_line(text="sun")])
    assert evaluation.verdict == "passed"
    assert evaluation.warnings == (
        "weather-agent: cheap: none of its runs counts for this rule",
        "weather-agent: rare: none of its runs counts for this rule",
    )
    assert ends(evaluation) == (0, 1)


def test_a_rule_that_judged_a_run_of_one_group_is_not_told_of_another(tmp_path: Path) -> None:
    gates = "{sunny: {includes: sun}, safe: {excludes: rain, filter: {tags: {env: prod}}}}"
    plan = plan_with(tmp_path, gates, more="split_by: [env]")
    lines = [run_line(env, "sun", tags={"env": env}) for env in ("prod", "stage")]
    assert evaluated(plan, lines).warnings == ()


@pytest.mark.parametrize(
    ("gates", "scorers", "lines", "codes"),
    [
        (SUNNY, "{}", [run_line(text="sun")], (0, 0)),
        (SUNNY, "{}", [run_line()], (1, 1)),
        ("{}", BOUNDED, [run_line()], (0, 1)),
        (SUNNY, "{}", [], (0, 1)),
        (SUNNY, "{}", [run_line(agent_id="stranger")], (0, 1)),
        (SUNNY, "{}", [run_line(text="sun"), b"{"], (2, 2)),
        (SUNNY, "{}", [run_line(), b"{"], (1, 1)),
    ],
    ids=["passed", "failed", "scored", "empty", "stranger", "bad-line", "failed-and-bad-line"],
)
def test_exit_codes(
    tmp_path: Path, gates: str, scorers: str, lines: list[bytes], codes: tuple[int, int]
) -> None:
    assert ends(evaluated(plan_with(tmp_path, gates, scorers), lines)) == codes


def test_lines_that_are_no_runs_are_named_and_lose_nothing(tmp_path: Path) -> None:
    lines = [b"{", run_line(text="sun"), b'{"run_id": "x"}', run_line("run-2", "sun")]
    evaluation = evaluated(plan_with(tmp_path, SUNNY), lines)
    assert only_agent(evaluation).runs == 2
    first, second = evaluation.problems
    assert first.startswith("runs.jsonl: line 1: truncated_json: ")
    assert second.startswith("runs.jsonl: line 3: missing_field: agent_id: ")
    assert second.endswith("; mend or remove it")


def test_many_bad_lines_are_counted(tmp_path: Path) -> None:
    evaluation = evaluated(plan_with(tmp_path, SUNNY), [b"x"] * 1_000)
    assert len(evaluation.problems) == 12
    assert evaluation.problems[-2:] == (
        "runs.jsonl: 990 more lines cannot be read; mend or remove them",
        "runs.jsonl: no line is a run; write each run on one line",
    )


def test_agents_that_no_file_names_are_counted_and_the_meant_one_is_named(tmp_path: Path) -> None:
    lines = [run_line(text="sun"), *[run_line(agent_id="wether-agent")] * 2]
    evaluation = evaluated(plan_with(tmp_path, SUNNY), lines)
    assert evaluation.unknown == {"wether-agent": 2}
    assert evaluation.warnings == (
        "wether-agent: no file names this agent of 2 runs; did you mean weather-agent?",
    )


def test_a_file_of_strangers_neither_fills_memory_nor_the_screen(tmp_path: Path) -> None:
    lines = [run_line(agent_id=f"x{index}") for index in range(1_500)]
    evaluation = evaluated(plan_with(tmp_path, SUNNY), lines)
    assert (len(evaluation.unknown), evaluation.unknown_runs) == (1_000, 1_500)
    assert len(evaluation.warnings) == 12
    assert evaluation.warnings[-1] == "1,490 runs of other agents that no file names"

from pathlib import Path

import pytest

from live_scoring.check_config import Report, check_config
from live_scoring.config import ConfigError
from tests.config.folders import agent_of, write_folder

CASES = "agents/weather_test.yaml"
SAYS_X = "{output: [{role: assistant, text: x}]}"
SAYS_Y = "{output: [{role: assistant, text: y}]}"


def check(tmp_path: Path, case: str, gates: str = "{}", scorers: str = "{}") -> Report:
    files = agent_of(gates, scorers) | {CASES: f"cases:\n  - {{name: a case, {case}}}\n"}
    return check_config(write_folder(tmp_path, files), {})


def failures(tmp_path: Path, case: str, gates: str = "{}", scorers: str = "{}") -> list[str]:
    report = check(tmp_path, case, gates, scorers)
    return [line.split(": ", 1)[1] for line in report.failures]


def problems(tmp_path: Path, case: str, gates: str = "{x: {includes: x}}") -> list[str]:
    with pytest.raises(ConfigError) as raised:
        check(tmp_path, case, gates)
    return [line.split(": ", 1)[1] for line in raised.value.problems]


def test_the_committed_cases_pass() -> None:
    folder = Path(__file__).parents[2] / "config"
    report = check_config(folder, {})
    assert report.failures == ()
    assert report.summary[0] == (
        "weather-agent: 3 gates, 2 scorers, windows 5m, 1h, 3 of 3 cases passed"
    )


def test_an_expected_score_that_did_not_come_out_is_told_with_its_reason(tmp_path: Path) -> None:
    case = f"run: {SAYS_Y}, expect: {{scores: {{x: 1}}}}"
    assert failures(tmp_path, case, "{x: {includes: x}}") == [
        "cases[0].expect.scores.x: a case: 0 (output does not contain 'x'), expected 1; "
        "correct the rule or the case"
    ]


def test_an_expected_verdict_that_did_not_come_out_is_told_with_its_rules(tmp_path: Path) -> None:
    case = f"run: {SAYS_Y}, expect: {{verdict: passed}}"
    assert failures(tmp_path, case, "{x: {includes: x}}") == [
        "cases[0].expect.verdict: a case: failed (x), expected passed; correct the rule or the case"
    ]


def test_the_runs_of_a_case_are_one_window(tmp_path: Path) -> None:
    case = (
        f"runs: [{SAYS_X}, {SAYS_Y}, {SAYS_X}], expect: {{scores: {{x: 0.667}}, verdict: scored}}"
    )
    assert not failures(tmp_path, case, scorers="{x: {includes: x, threshold: 0.7}}")


def test_neither_sampling_nor_min_samples_applies(tmp_path: Path) -> None:
    case = f"run: {SAYS_X}, expect: {{scores: {{x: 1}}, verdict: passed}}"
    rule = "{includes: x, sampling: 0.000001, min_samples: 100}"
    assert not failures(tmp_path, case, f"{{x: {rule}}}")


def test_a_filter_applies(tmp_path: Path) -> None:
    case = f"run: {SAYS_X}, expect: {{scores: {{x: null}}, verdict: no_data}}"
    rule = "{includes: x, filter: {tags: {environment: prod}}}"
    assert not failures(tmp_path, case, f"{{x: {rule}}}")


def test_a_case_of_a_glob_needs_no_agent_id(tmp_path: Path) -> None:
    files = {
        "agents/all.yaml": "agent: all-[ab]*\ngates: {x: {includes: x}}\n",
        "agents/all_test.yaml": (
            f"cases: [{{name: a case, run: {SAYS_X}, expect: {{verdict: passed}}}}]"
        ),
    }
    assert not check_config(write_folder(tmp_path, files), {}).failures


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        (
            f"run: {SAYS_X}, expect: {{scores: {{y: 1}}}}",
            "cases[0].expect.scores.y: no rule; use one of x",
        ),
        (
            "run: {output: [{role: assistant}]}, expect: {verdict: passed}",
            "cases[0].run.output[0].text: is missing; give it",
        ),
        (
            "run: {output: [{role: assistant, text: x, tools: []}]}, expect: {verdict: passed}",
            "cases[0].run.output[0].tools: unknown key; correct it or take it out",
        ),
        (
            "run: {agent_id: other, output: []}, expect: {verdict: passed}",
            "cases[0].run.agent_id: other is no file's; give one that this file asks",
        ),
        (
            "expect: {verdict: passed}",
            "cases[0]: needs runs; give either run or runs",
        ),
        (
            f"run: {SAYS_X}, runs: [{SAYS_X}], expect: {{verdict: passed}}",
            "cases[0]: needs runs; give either run or runs",
        ),
        (
            f"run: {SAYS_X}, expect: {{}}",
            "cases[0].expect: expects nothing; give scores, verdict or both",
        ),
        (
            f"run: {SAYS_X}, expect: {{verdict: pass}}",
            "cases[0].expect.verdict: 'pass' is not known; "
            "give 'passed', 'scored', 'failed' or 'no_data'",
        ),
        (
            f"run: {SAYS_X}, expects: {{verdict: passed}}",
            "cases[0].expect: is missing; give it",
        ),
    ],
)
def test_a_case_that_makes_no_sense_is_a_problem(tmp_path: Path, case: str, problem: str) -> None:
    assert problem in problems(tmp_path, case)


def test_a_scorer_that_calls_out_is_not_asked(tmp_path: Path) -> None:
    rules = '{x: {includes: x}, own: {use: "tests.own_scorers:refuses_runs"}}'
    assert not failures(tmp_path, f"run: {SAYS_X}, expect: {{verdict: passed}}", rules)
    problem = "cases[0].expect.scores.own: calls out, which no case does; remove it"
    expected = f"run: {SAYS_X}, expect: {{scores: {{own: 1}}}}"
    assert problem in problems(tmp_path, expected, rules)


def test_cases_without_an_agent_are_a_problem(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"agents/wetter_test.yaml": "cases: []"})
    with pytest.raises(ConfigError, match=r"wetter_test\.yaml: has no wetter\.yaml beside it"):
        check_config(folder, {})

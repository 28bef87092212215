"""Scorers of one's own in a configuration: what a factory may make, and what that becomes."""

import asyncio
import sys
from pathlib import Path

import pytest

from live_scoring.checks.text import Includes
from live_scoring.config import Config, ConfigError, load_config
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import CallLimits, Scorer, score_run
from live_scoring.scorers import Steps
from live_scoring.wiring import build_plan
from tests.builders import run_saying

RUN = run_saying("hello")


def configured(folder: Path, *rules: str) -> Config:
    """A configuration of one agent with these rules, named `rule-0`, `rule-1`, …"""
    (folder / "agents").mkdir(parents=True, exist_ok=True)
    lines = [f"  rule-{number}: {rule}" for number, rule in enumerate(rules)]
    (folder / "agents" / "a.yaml").write_text("\n".join(["agent: agent-1", "scorers:", *lines]))
    return load_config(folder, {})


def scorers(folder: Path, *rules: str) -> tuple[Scorer, ...]:
    (agent,) = build_plan(configured(folder, *rules)).agents
    return agent.scorers


def refusal(folder: Path, rule: str) -> str:
    with pytest.raises(ConfigError) as raised:
        configured(folder, rule)
    return str(raised.value).partition("rule-0.")[2]


def test_a_function_goes_by_the_name_of_its_factory(tmp_path: Path) -> None:
    (scorer,) = scorers(tmp_path, '{use: "tests.own_scorers:greets", with: {greeting: hell}}')
    assert (scorer.name, scorer.check_id) == ("rule-0", "greets")
    assert scorer.run(RUN) is True


def test_a_scorer_in_steps_goes_by_its_id(tmp_path: Path) -> None:
    (scorer,) = scorers(tmp_path, '{use: "tests.own_scorers:measured", with: {limit: 1}}')
    assert scorer.check_id == "measured"
    assert isinstance(scorer.run, Steps)
    answer = asyncio.run(scorer.run(RUN))
    assert isinstance(answer, CheckResult)
    assert answer.score == 1


def test_a_check_is_asked_on_the_spot_and_everything_else_outside(tmp_path: Path) -> None:
    check, function = scorers(
        tmp_path,
        '{use: "tests.own_scorers:polite", with: {word: hello}}',
        '{use: "tests.own_scorers:greets"}',
    )
    assert check.limits is None
    assert score_run(check, RUN) == Includes(expected="hello")(RUN)
    assert function.limits == CallLimits()


def test_a_class_of_checks_is_a_factory(tmp_path: Path) -> None:
    (scorer,) = scorers(
        tmp_path, '{use: "live_scoring.checks.text:Includes", with: {expected: HELLO}}'
    )
    assert scorer.check_id == "check-includes"
    assert score_run(scorer, RUN) == Includes(expected="HELLO")(RUN)


def test_limits_and_options_stand_beside_it(tmp_path: Path) -> None:
    limits = "timeout_seconds: 0.5, concurrency: 2, retries: 1, budget_per_minute: 60"
    (scorer,) = scorers(
        tmp_path, f'{{use: "tests.own_scorers:greets", {limits}, sampling: 0.5, threshold: 0.7}}'
    )
    assert scorer.limits == CallLimits(0.5, 2, 1, 60)
    assert scorer.sampling.rate == 0.5


def test_the_fingerprint_is_of_the_reference_and_its_arguments_not_of_limits(
    tmp_path: Path,
) -> None:
    use = 'use: "tests.own_scorers:greets"'
    one, same, other_with, other_use = scorers(
        tmp_path,
        f"{{{use}, with: {{greeting: hello}}}}",
        f"{{{use}, with: {{greeting: hello}}, retries: 3}}",
        f"{{{use}, with: {{greeting: bye}}}}",
        '{use: "tests.own_scorers:measured", with: {limit: 1}}',
    )
    assert one.fingerprint == same.fingerprint
    assert len({one.fingerprint, other_with.fingerprint, other_use.fingerprint}) == 3


def test_limits_are_part_of_the_configurations_hash(tmp_path: Path) -> None:
    use = 'use: "tests.own_scorers:greets"'
    plain = configured(tmp_path / "a", f"{{{use}}}")
    limited = configured(tmp_path / "b", f"{{{use}, retries: 1}}")
    assert plain.hash != limited.hash


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ('{use: "tests.own_scorers:refuses"}', "with: refuses refuses it (LookupError: no key)"),
        ('{use: "tests.own_scorers:NO_FACTORY"}', "has no factory NO_FACTORY; use one of"),
        ('{use: "tests.no_such:tone"}', "use: there is no module tests.no_such; install it"),
    ],
)
def test_a_factory_that_cannot_be_used_is_a_problem(
    rule: str, message: str, tmp_path: Path
) -> None:
    assert message in refusal(tmp_path, rule)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import no_such_thing", "use: own_module needs no_such_thing; install it"),
        ("raise SystemExit", "use: own_module cannot be imported (SystemExit:)"),
        ("1 / 0", "use: own_module cannot be imported (ZeroDivisionError: division by zero)"),
    ],
)
def test_a_module_that_fails_is_a_problem(
    code: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_module.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    assert message in refusal(tmp_path / "config", '{use: "own_module:tone"}')


def test_a_module_is_looked_for_in_the_current_folder_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside_the_user.py").write_text("def tone(): return lambda run: 1")
    (tmp_path / "json.py").write_text("raise RuntimeError")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    (scorer,) = scorers(tmp_path / "config", '{use: "beside_the_user:tone"}')
    assert scorer.run(RUN) == 1
    assert sys.path[-1] == str(tmp_path)

from pathlib import Path

import pytest

from live_scoring.check_config import check_config
from tests.config.folders import agent_of, write_folder


def doubts(tmp_path: Path, files: dict[str, str]) -> list[str]:
    report = check_config(write_folder(tmp_path, files), {})
    return [line.split(": ", 1)[1] for line in report.warnings]


@pytest.mark.parametrize(
    ("gates", "scorers", "doubt"),
    [
        (
            "{}",
            "{a: {includes: x}}",
            "has neither gate nor threshold, so never a verdict; give it one",
        ),
        (
            "{a: {includes: x, critical: true, require: {pass_ratio: 0.9}}}",
            "{}",
            "gates.a.critical: one failure is enough, yet require allows some; drop one of the two",
        ),
        (
            "{a: {includes: x, require: {pass_ratio: 0}}}",
            "{}",
            "gates.a.require.pass_ratio: 0 lets every run fail; give the share that must pass",
        ),
        (
            "{a: {includes: x, require: {pass_ratio: 1}}}",
            "{}",
            "gates.a.require: asks for every run; write every",
        ),
        (
            "{}",
            "{a: {includes: x, threshold: 0}}",
            "scorers.a.threshold: holds for every average; raise min or lower max",
        ),
        (
            "{}",
            "{a: {includes: x, threshold: {min: 0, max: 1}}}",
            "scorers.a.threshold: holds for every average; raise min or lower max",
        ),
        (
            "{}",
            "{a: {similarity: {expected: x, threshold: 0.8}, threshold: 0.9}}",
            "scorers.a.threshold: bounds the share of runs above the check's own threshold; "
            "keep one of the two",
        ),
        (
            "{a: {similarity: {expected: x, threshold: 80}}}",
            "{}",
            "gates.a.similarity.threshold: 80 is never reached; give at most 1",
        ),
        (
            "{a: {similarity: {expected: x, threshold: 0}}}",
            "{}",
            "gates.a.similarity.threshold: 0 is always reached; raise it",
        ),
        (
            "{a: {includes: x, sampling: 0}}",
            "{}",
            "gates.a.sampling: 0 draws no run; raise it or remove the rule",
        ),
        (
            "{a: {includes: x, sampling: 0.04}}",
            "{}",
            "gates.a.sampling: needs 1,250 runs in 1h to be judged; raise it",
        ),
        (
            "{a: {includes: x, filter: {agent: billing-*}}}",
            "{}",
            "gates.a.filter.agent: never matches weather-agent; change or remove it",
        ),
        (
            "{a: {called_tool: search}, b: {did_not_call: search}}",
            "{}",
            "gates.b: forbids search, which a requires; drop one",
        ),
    ],
)
def test_a_doubtful_setting_is_told(tmp_path: Path, gates: str, scorers: str, doubt: str) -> None:
    assert doubts(tmp_path, agent_of(gates, scorers)) == [doubt]


@pytest.mark.parametrize(
    ("gates", "scorers"),
    [
        ("{a: {includes: x, critical: true}}", "{b: {includes: y}}"),
        ("{a: {includes: x, require: {pass_ratio: 1, min_failures: 3}}}", "{}"),
        ("{}", "{a: {includes: x, threshold: {max: 0}}}"),
        ("{a: {called_tool: {tool: search, times: 0}}, b: {did_not_call: search}}", "{}"),
        ("{a: {includes: x, sampling: 0.5, filter: {agent: weather-*}}}", "{}"),
    ],
)
def test_a_sound_setting_is_not(tmp_path: Path, gates: str, scorers: str) -> None:
    assert not doubts(tmp_path, agent_of(gates, scorers))


def test_a_glob_that_another_takes_is_doubtful(tmp_path: Path) -> None:
    rules = "gates: {a: {includes: x}}\n"
    files = {
        "agents/all.yaml": f"agent: 'b-*'\n{rules}",
        "agents/some.yaml": f"agent: 'b-?'\n{rules}",
        "agents/stars.yaml": f"agent: 'b-**'\n{rules}",
    }
    assert doubts(tmp_path, files) == ["agent: b-** takes b- before it; make one of them narrower"]


def test_a_narrower_glob_is_not(tmp_path: Path) -> None:
    rules = "gates: {a: {includes: x}}\n"
    files = {
        "agents/all.yaml": f"agent: '*'\n{rules}",
        "agents/some.yaml": f"agent: 'weather-*'\n{rules}",
    }
    assert not doubts(tmp_path, files)


def told(agents: str) -> dict[str, str]:
    return {"worker.yaml": f"notify: {{pager: {{url: 'https://h/', agents: '{agents}'}}}}\n"}


def test_a_webhook_of_no_agent_is_doubtful(tmp_path: Path) -> None:
    doubt = "notify.pager.agents: 'refund-*' matches no agent that has a file; change it"
    assert doubts(tmp_path, told("refund-*")) == [doubt]
    glob = {"agents/weather.yaml": "agent: 'weather-*'\ngates: {a: {includes: x}}\n"}
    assert doubts(tmp_path, told("refund-*") | glob) == [doubt]


@pytest.mark.parametrize("agents", ["*", "weather-agent", "weather-*", "*-agent"])
def test_a_webhook_of_some_agent_is_not(tmp_path: Path, agents: str) -> None:
    assert not doubts(tmp_path, told(agents))


SECRETS = """
notify: {pager: {url: 'https://h/${PAGER_KEY}', headers: {X-Key: 'Bearer ${PAGER_TOKEN}'}}}
"""


def secret_doubts(tmp_path: Path, environ: dict[str, str]) -> list[str]:
    report = check_config(write_folder(tmp_path, {"worker.yaml": SECRETS}), environ)
    return [line.split(": ", 1)[1] for line in report.warnings]


def test_a_webhook_whose_secrets_are_not_set_is_doubtful(tmp_path: Path) -> None:
    assert secret_doubts(tmp_path, {}) == [
        f"notify.pager.{place}: ${{{name}}} is not set; set the environment variable {name}, "
        "or run will not start"
        for place, name in (("url", "PAGER_KEY"), ("headers.X-Key", "PAGER_TOKEN"))
    ]
    assert secret_doubts(tmp_path, {"PAGER_KEY": "k", "PAGER_TOKEN": "t"}) == []


def test_a_secret_that_no_header_can_hold_is_doubtful_and_not_shown(tmp_path: Path) -> None:
    assert secret_doubts(tmp_path, {"PAGER_KEY": "k", "PAGER_TOKEN": "secr\nt"}) == [
        "notify.pager.headers.X-Key: holds a line break or an accent; give letters of ASCII, "
        "or run will not start"
    ]


def test_a_webhook_of_some_agents_of_a_glob_is_not(tmp_path: Path) -> None:
    glob = {"agents/weather.yaml": "agent: '*-prod-*'\ngates: {a: {includes: x}}\n"}
    assert not doubts(tmp_path, told("weather-*-eu") | glob)
    assert not doubts(tmp_path, told("a-prod-b") | glob)


def test_a_variable_for_want_of_an_underscore_is_doubtful(tmp_path: Path) -> None:
    environ = {
        "LIVE_SCORING_KAFKA_GROUP_ID": "a",
        "LIVE_SCORING_KAFKA__START": "latest",
        "LIVE_SCORING_PORT": "tcp://10.0.0.1:9464",
    }
    assert check_config(write_folder(tmp_path), environ).warnings == (
        "environment: LIVE_SCORING_KAFKA_GROUP_ID: is not read; "
        "did you mean LIVE_SCORING_KAFKA__GROUP_ID?",
    )

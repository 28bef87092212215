from pathlib import Path

import pytest

from live_scoring.config import ConfigError, WorkerConfig, load_config
from tests.config.folders import write_folder

PASSWORD = {"LIVE_SCORING_KAFKA__SASL_PASSWORD": "hunter2"}


def load(tmp_path: Path, worker: str = "max_agents: 10000", **environ: str) -> WorkerConfig:
    folder = write_folder(tmp_path / "config", {"worker.yaml": worker})
    return load_config(folder, environ).worker


def test_a_variable_wins_over_the_file(tmp_path: Path) -> None:
    worker = load(
        tmp_path,
        "kafka: {bootstrap_servers: 'localhost:9092', group_id: mine}",
        LIVE_SCORING_KAFKA__BOOTSTRAP_SERVERS="kafka:9092",
    )
    assert worker.kafka.bootstrap_servers == "kafka:9092"
    assert worker.kafka.group_id == "mine"


def test_numbers_and_booleans_are_read_from_their_text(tmp_path: Path) -> None:
    worker = load(
        tmp_path,
        LIVE_SCORING_MAX_AGENTS="12",
        LIVE_SCORING_WEB__PORT="0",
        LIVE_SCORING_METRICS__SCORE_VALUE="true",
    )
    assert (worker.max_agents, worker.web.port, worker.metrics.score_value) == (12, 0, True)


def test_a_text_of_digits_stays_a_text(tmp_path: Path) -> None:
    assert load(tmp_path, LIVE_SCORING_KAFKA__GROUP_ID="12").kafka.group_id == "12"


def test_lists_and_mappings_are_json(tmp_path: Path) -> None:
    worker = load(
        tmp_path,
        LIVE_SCORING_TOPICS__RUNS='["a", "b"]',
        LIVE_SCORING_WINDOWS='{"30s": {"min_samples": 5}}',
    )
    assert worker.topics.runs == ("a", "b")
    assert worker.windows["30s"].min_samples == 5


def test_a_key_of_a_window_can_come_from_a_variable(tmp_path: Path) -> None:
    worker = load(
        tmp_path,
        "windows: {5m: {min_samples: 20}, 1h: {min_samples: 50}}",
        LIVE_SCORING_WINDOWS__5M__MIN_SAMPLES="3",
    )
    assert {name: w.min_samples for name, w in worker.windows.items()} == {"5m": 3, "1h": 50}


def test_a_password_comes_from_a_variable_and_is_never_shown(tmp_path: Path) -> None:
    worker = load(
        tmp_path,
        "kafka: {security_protocol: SASL_SSL, sasl_mechanism: PLAIN, sasl_username: scorer}",
        **PASSWORD,
    )
    assert worker.kafka.sasl_password is not None
    assert worker.kafka.sasl_password.get_secret_value() == "hunter2"
    assert "hunter2" not in repr(worker)


@pytest.mark.parametrize(
    "environ",
    [
        {"LIVE_SCORING_PORT": "tcp://10.0.0.1:9464", "LIVE_SCORING_SERVICE_HOST": "10.0.0.1"},
        {"LIVE_SCORING_WEB__PORT": ""},
        {"KAFKA__GROUP_ID": "other"},
    ],
    ids=["of a Kubernetes service", "that is empty", "of another program"],
)
def test_a_variable_is_left_alone(tmp_path: Path, environ: dict[str, str]) -> None:
    assert load(tmp_path, **environ) == WorkerConfig()


@pytest.mark.parametrize(
    ("variable", "value", "problem"),
    [
        (
            "LIVE_SCORING_TOPICS__RUNS",
            "agent-runs",
            "environment: LIVE_SCORING_TOPICS__RUNS: is not JSON; write it as JSON",
        ),
        (
            "LIVE_SCORING_TOPICS__RUNS",
            "[" * 100_000,
            "environment: LIVE_SCORING_TOPICS__RUNS: is not JSON; write it as JSON",
        ),
        (
            "LIVE_SCORING_WEB__PORT",
            "http",
            "environment: LIVE_SCORING_WEB__PORT: 'http' is a text; give a whole number",
        ),
        (
            "LIVE_SCORING_WEB__PORT",
            "94640",
            "environment: LIVE_SCORING_WEB__PORT: 94640 is above 65535; give 65535 or less",
        ),
        (
            "LIVE_SCORING_WINDOWS",
            '{"30s": {"min_samples": 0}}',
            "environment: LIVE_SCORING_WINDOWS.30s.min_samples: 0 is below 1; give 1 or more",
        ),
        (
            "LIVE_SCORING_KAFKA__GROUP",
            "mine",
            "environment: LIVE_SCORING_KAFKA__GROUP: unknown key; did you mean group_id?",
        ),
    ],
)
def test_a_bad_variable_is_named(tmp_path: Path, variable: str, value: str, problem: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(tmp_path, **{variable: value})
    assert raised.value.problems == (problem,)


def test_no_message_shows_a_password(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load(tmp_path, **PASSWORD)
    assert "hunter2" not in str(raised.value)


def test_not_even_a_password_of_the_wrong_kind_is_shown(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load(tmp_path, LIVE_SCORING_KAFKA='{"sasl_password": 31337}')
    assert raised.value.problems == (
        "environment: LIVE_SCORING_KAFKA.sasl_password: is no text; give it as one",
    )

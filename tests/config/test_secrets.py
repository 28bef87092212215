from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr, ValidationError

from live_scoring.config import ConfigError, WorkerConfig, load_config
from live_scoring.config.environment import unread_variables
from live_scoring.config.secrets import SECRETS, Place
from live_scoring.config.web import WebConfig
from tests.config.folders import write_folder

TOKEN = "correct-horse-battery"  # noqa: S105 -- of no worker but these
VARIABLE = "LIVE_SCORING_WEB__TOKEN"


def load(tmp_path: Path, **environ: str) -> WorkerConfig:
    return load_config(write_folder(tmp_path / "config"), environ).worker


def problem_of(tmp_path: Path, **environ: str) -> str:
    with pytest.raises(ConfigError) as raised:
        load(tmp_path, **environ)
    (problem,) = raised.value.problems
    return problem


def token_of(worker: WorkerConfig) -> str | None:
    return worker.web.token.get_secret_value() if worker.web.token else None


def test_a_secret_can_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\r\n")
    assert token_of(load(tmp_path, **{f"{VARIABLE}_FILE": str(file)})) == TOKEN


def test_a_secret_is_given_once(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, **{VARIABLE: TOKEN, f"{VARIABLE}_FILE": "token"})
    assert (
        problem == f"environment: {VARIABLE}_FILE: is given beside {VARIABLE}; keep one of the two"
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read (No such file or directory); check the file and its rights"),
        (b"\n", "is empty; write the secret into it"),
        (b"\xff\xfe", "holds no text; write the secret in UTF-8"),
    ],
)
def test_a_file_that_holds_no_secret_is_named(
    tmp_path: Path, content: bytes | None, sentence: str
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    problem = problem_of(tmp_path, **{f"{VARIABLE}_FILE": str(file)})
    assert problem == f"environment: {VARIABLE}_FILE: '{file}' {sentence}"


def test_only_secrets_stand_in_files(tmp_path: Path) -> None:
    assert "unknown key" in problem_of(tmp_path, LIVE_SCORING_WEB__HOST_FILE="host")


def test_a_misspelled_variable_of_a_file_is_told() -> None:
    given = {"LIVE_SCORING_WEB_TOKEN_FILE": "token"}
    assert dict(unread_variables(given)) == {"LIVE_SCORING_WEB_TOKEN_FILE": f"{VARIABLE}_FILE"}


@pytest.mark.parametrize("token", ["short", "correct horse battery", "korrektes-pferd-ä", "x" * 15])
def test_a_token_that_is_weak_or_fits_no_header_is_refused_and_not_shown(
    tmp_path: Path, token: str
) -> None:
    problem = problem_of(tmp_path, **{VARIABLE: token})
    assert problem.startswith(f"environment: {VARIABLE}: ")
    assert token not in problem


def test_a_token_beside_open_pages_is_refused() -> None:
    with pytest.raises(ValidationError, match="remove one of the two"):
        WebConfig(token=SecretStr(TOKEN), open=True)


@pytest.mark.parametrize(
    ("host", "access"),
    [
        ("127.0.0.1", "open"),
        ("127.8.8.8", "open"),
        ("::1", "open"),
        ("localhost", "open"),
        ("0.0.0.0", "closed"),  # noqa: S104 -- every address
        ("::", "closed"),
        ("10.0.0.1", "closed"),
        ("localhost.example.com", "closed"),
    ],
)
def test_pages_are_open_to_this_machine_alone(host: str, access: str) -> None:
    assert WebConfig(host=host).access == access


def secrets_of(model: type[BaseModel]) -> Iterator[Place]:
    for key, field in model.model_fields.items():
        if "SecretStr" in repr(field.annotation):
            yield (key,)
        elif isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from ((key, *place) for place in secrets_of(field.annotation))


def test_every_secret_of_the_model_is_kept_out_of_files() -> None:
    assert set(secrets_of(WorkerConfig)) == SECRETS

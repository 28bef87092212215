"""Keys of `worker.yaml` from environment variables: `LIVE_SCORING_KAFKA__BOOTSTRAP_SERVERS`."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic_settings import EnvSettingsSource, SettingsError

from live_scoring.config.problems import Problems
from live_scoring.config.secrets import FILE_SUFFIX, SECRETS, Place, read_secret
from live_scoring.config.values import FromEnvironment
from live_scoring.config.worker import WorkerConfig

PREFIX = "LIVE_SCORING_"
_DELIMITER = "__"


class _Source(EnvSettingsSource):
    """Reads the variables that it is given instead of the process's."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = {name.lower(): value for name, value in environ.items()}
        super().__init__(
            WorkerConfig,  # type: ignore[arg-type]  # only its fields are looked at
            env_prefix=PREFIX,
            env_nested_delimiter=_DELIMITER,
        )

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return self._environ


def read_environment(environ: Mapping[str, str], problems: Problems) -> Mapping[Place, Any]:
    """The value that each variable gives, by the place of its key in `worker.yaml`.

    Variables whose first key is unknown are left alone: Kubernetes sets such ones
    (`LIVE_SCORING_PORT`) for a service of that name. An empty variable is not set. A secret may
    stand in a file, which the secret's variable with `_FILE` behind it names.
    """
    found: dict[Place, Any] = {}
    for name, text in sorted(environ.items()):
        if not name.upper().startswith(PREFIX) or not text:
            continue
        place = tuple(name[len(PREFIX) :].lower().split(_DELIMITER))
        if secret := _in_file(place):
            _read_file(name, text, secret, found, problems)
            continue
        try:
            value = _at(_Source({name: text})(), place)
        except (SettingsError, ValueError, RecursionError):
            problems.add((name,), "is not JSON; write it as JSON")
            continue
        if value is not None:
            found[place] = FromEnvironment(value) if isinstance(value, str) else value
    return found


def _in_file(place: Place) -> Place | None:
    """The secret that stands in a file which the variable for a place names."""
    secret = (*place[:-1], place[-1].removesuffix(FILE_SUFFIX))
    return secret if secret in SECRETS and secret != place else None


def _read_file(
    name: str, path: str, secret: Place, found: dict[Place, Any], problems: Problems
) -> None:
    if secret in found:
        problems.add((name,), f"is given beside {variable_of(secret)}; keep one of the two")
        return
    try:
        found[secret] = FromEnvironment(read_secret(path))
    except ValueError as error:
        problems.add((name,), str(error))


def unread_variables(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Variables that are not read for want of an underscore, and what they should be called."""
    files = ((*place[:-1], place[-1] + FILE_SUFFIX) for place in SECRETS)
    variables = map(variable_of, (*_places(WorkerConfig), *files))
    meant = {_joined(variable): variable for variable in variables}
    for name in sorted(environ):
        right = meant.get(_joined(name.upper()))
        if right and right != name.upper():
            yield name, right


def _joined(variable: str) -> str:
    return variable.replace(_DELIMITER, "_")


def _places(model: type[BaseModel]) -> Iterator[Place]:
    for key, field in model.model_fields.items():
        yield (key,)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from ((key, *place) for place in _places(field.annotation))


def variable_of(place: Place) -> str:
    """The variable for the key at a place."""
    return PREFIX + _DELIMITER.join(place).upper()


def _at(value: Any, place: Place) -> Any:
    for step in place:
        if not isinstance(value, dict) or step not in value:
            return None
        value = value[step]
    return value

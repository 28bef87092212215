"""Keys of `worker.yaml` from environment variables: `LIVE_SCORING_KAFKA__BOOTSTRAP_SERVERS`."""

from collections.abc import Mapping
from typing import Any

from pydantic_settings import EnvSettingsSource, SettingsError

from live_scoring.config.problems import Problems
from live_scoring.config.values import FromEnvironment
from live_scoring.config.worker import WorkerConfig

Place = tuple[str, ...]

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
    (`LIVE_SCORING_PORT`) for a service of that name. An empty variable is not set.
    """
    found: dict[Place, Any] = {}
    for name, text in sorted(environ.items()):
        if not name.upper().startswith(PREFIX) or not text:
            continue
        loc = loc_of(name)
        try:
            value = _at(_Source({name: text})(), loc)
        except (SettingsError, ValueError):
            problems.add((name,), "is not JSON; write it as JSON")
            continue
        if value is not None:
            found[loc] = FromEnvironment(value) if isinstance(value, str) else value
    return found


def variable_of(loc: Place) -> str:
    """The variable for the key at a place."""
    return PREFIX + _DELIMITER.join(str(step) for step in loc).upper()


def loc_of(variable: str) -> Place:
    """The place of the key that a variable stands for."""
    return tuple(variable[len(PREFIX) :].lower().split(_DELIMITER))


def _at(value: Any, loc: Place) -> Any:
    for step in loc:
        if not isinstance(value, dict) or step not in value:
            return None
        value = value[step]
    return value

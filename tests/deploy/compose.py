"""docker-compose.yml as it is written, with its variables filled in."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from tests.deploy.tools import ROOT

FILE = ROOT / "docker-compose.yml"
DEMO = ROOT / "deploy/compose/demo.env"

_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


def read_compose(variables: Mapping[str, str]) -> dict[str, Any]:
    """The file's content; a variable that is not given has the default that stands there."""
    text = FILE.read_text(encoding="utf-8")
    content: dict[str, Any] = _filled(yaml.safe_load(text), variables)
    return content


def _filled(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _VARIABLE.sub(lambda found: variables.get(found[1]) or found[2] or "", value)
    if isinstance(value, list):
        return [_filled(item, variables) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, variables) for key, item in value.items()}
    return value


def used_variables() -> set[str]:
    """Names of the variables that the file takes from its user."""
    return {name for name, _ in _VARIABLE.findall(FILE.read_text(encoding="utf-8"))}


def demo_variables() -> dict[str, str]:
    """The variables of the demo."""
    lines = DEMO.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return {name: value.strip("'") for name, value in pairs}

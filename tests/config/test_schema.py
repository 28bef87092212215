"""The published schema is that of the code, and accepts what the code accepts."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from live_scoring.config.schema import config_schema

ROOT = Path(__file__).parents[2]
FILE = ROOT / "config" / "schema" / "config.schema.json"
EXAMPLES = [
    path
    for folder in (ROOT / "config", ROOT / "worker" / "live_scoring" / "demo" / "config")
    for path in sorted(folder.rglob("*.yaml"))
    if not path.name.endswith("_test.yaml") and path.name != "kustomization.yaml"
]


def is_valid(value: Any) -> bool:
    return bool(Draft202012Validator(config_schema()).is_valid(value))


def test_the_schema_is_that_of_the_code(is_updating: bool) -> None:
    if is_updating:
        FILE.write_text(json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n")
    Draft202012Validator.check_schema(config_schema())
    assert json.loads(FILE.read_text()) == config_schema()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_committed_file_is_valid(path: Path) -> None:
    assert is_valid(yaml.safe_load(path.read_text()))


@pytest.mark.parametrize(
    "rule",
    [
        "noToolErrors",
        {"called_tool": "get_weather", "require": "every"},
        {"calledTool": {"tool": "get_weather", "times": 2}, "critical": True},
        {"no_tool_errors": None, "sampling": 0.5},
        {"tool_order": ["search", "answer"], "filter": {"tags": {"environment": "prod"}}},
    ],
)
def test_each_way_to_write_a_rule_is_valid(rule: Any) -> None:
    assert is_valid({"agent": "weather-agent", "gates": {"rule": rule}})


@pytest.mark.parametrize(
    "rule", ["no_tool_error", {"includes": "x", "threshold": 0.7}, {"includes": {"expect": "x"}}]
)
def test_a_rule_with_an_unknown_word_is_not(rule: Any) -> None:
    assert not is_valid({"agent": "weather-agent", "gates": {"rule": rule}})


def test_a_password_in_a_file_is_not_valid() -> None:
    assert not is_valid({"kafka": {"sasl_password": "x"}})

"""The tables of `config/README.md` are those of the code."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from live_scoring.check_config.cases import Case, Expectation
from live_scoring.checks import CHECKS
from live_scoring.config.agents import AgentFile, DefaultsFile
from live_scoring.config.assembly import AssemblyConfig
from live_scoring.config.rules import (
    CallOptions,
    FilterConfig,
    GateOptions,
    RequireConfig,
    SamplingConfig,
    ScorerOptions,
    ThresholdConfig,
)
from live_scoring.config.scores import ScoresConfig
from live_scoring.config.web import WebConfig
from live_scoring.config.webhook import LinksConfig, WebhookConfig
from live_scoring.config.worker import (
    KafkaConfig,
    LimitsConfig,
    MetricsConfig,
    TopicsConfig,
    WindowConfig,
    WorkerConfig,
)
from live_scoring.formats.mapped.mapping import (
    MessagesMapping,
    RunMapping,
    ToolCallsMapping,
    ToolResultsMapping,
)

README = Path(__file__).parents[2] / "config" / "README.md"
SECTIONS: dict[str, type[BaseModel]] = {
    "At the top": WorkerConfig,
    "`kafka`": KafkaConfig,
    "`topics`": TopicsConfig,
    "`mappings`": RunMapping,
    "`messages` of a mapping": MessagesMapping,
    "`tool_calls` of a mapping": ToolCallsMapping,
    "`tool_results` of a mapping": ToolResultsMapping,
    "`assembly`": AssemblyConfig,
    "`windows`": WindowConfig,
    "`web`": WebConfig,
    "`links`": LinksConfig,
    "`notify`": WebhookConfig,
    "`scores`": ScoresConfig,
    "`limits`": LimitsConfig,
    "`metrics`": MetricsConfig,
    "An agent's file": AgentFile,
    "`defaults.yaml`": DefaultsFile,
    "Limits of a scorer of your own": CallOptions,
    "Options of gates": GateOptions,
    "Options of scorers": ScorerOptions,
    "`sampling`": SamplingConfig,
    "`require`": RequireConfig,
    "`threshold`": ThresholdConfig,
    "`filter`": FilterConfig,
    "A case": Case,
    "`expect`": Expectation,
}


NAMES = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "`true` or `false`",
    "object": "mapping",
    None: "mapping",
}


def type_of(schema: dict[str, Any]) -> str:
    """A JSON Schema in a reader's words."""
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(type_of(kind) for kind in schema["anyOf"] if kind != {"type": "null"})
    if schema.get("type") == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    return NAMES[schema.get("type")] + bounds_of(schema)


def bounds_of(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    return f" from {low}" * (low is not None) + f" to {high}" * (high is not None)


def default_of(schema: dict[str, Any], *, is_required: bool) -> str:
    default = schema.get("default")
    if is_required or default is None or "$ref" in schema:
        return "required" if is_required else ""
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"


def rows_of(model: type[BaseModel]) -> Iterator[str]:
    schema = model.model_json_schema()
    yield "| key | type | default | meaning |"
    yield "| --- | --- | --- | --- |"
    for key, field in schema["properties"].items():
        default = default_of(field, is_required=key in schema.get("required", ()))
        meaning = " ".join((model.model_fields[key].description or "").split())
        yield f"| `{key}` | {type_of(field)} | {default} | {meaning} |"


def rows_of_checks() -> Iterator[str]:
    yield "| check | parameters | meaning |"
    yield "| --- | --- | --- |"
    for name, check in CHECKS.items():
        fields = check.model_fields.items()
        parameters = ", ".join(
            f"`{key}`" if field.is_required() else f"`{key}` ({json.dumps(field.default)})"
            for key, field in fields
        )
        meaning = " ".join((check.__doc__ or "").split("\n\n")[0].split())
        yield f"| `{name}` | {parameters} | {meaning} |"


TABLES = {title: tuple(rows_of(model)) for title, model in SECTIONS.items()} | {
    "Checks": tuple(rows_of_checks())
}


@pytest.mark.parametrize("title", TABLES)
def test_a_table_of_the_readme_is_that_of_the_model(title: str, is_updating: bool) -> None:
    text = README.read_text(encoding="utf-8")
    section = re.search(rf"(?ms)^### {re.escape(title)}\n.*?(?=^#|\Z)", text)
    assert section, f"no section {title}"
    body = section[0]
    table = "\n".join(TABLES[title]) + "\n"
    if is_updating:
        bare = re.sub(r"(?m)^\|.*\n", "", body).strip("\n")
        body = f"{bare}\n\n{table}\n"
        text = text[: section.start()] + body + text[section.end() :]
        README.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    assert table in body

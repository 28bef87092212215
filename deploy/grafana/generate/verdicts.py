"""How verdicts and rules look: one colour for one thing on every dashboard."""

from collections.abc import Iterable

from grafana_foundation_sdk.models.common import (
    TableCellBackgroundDisplayMode,
    TableColoredBackgroundCellOptions,
)
from grafana_foundation_sdk.models.dashboard import (
    DynamicConfigValue,
    ValueMap,
    ValueMapping,
    ValueMappingResult,
)

from deploy.grafana.generate.queries import SEVERITY

COLORS = {"failed": "red", "scored": "yellow", "passed": "green", "no_data": "#8e8e8e"}


def verdict_names() -> list[ValueMapping]:
    """A verdict's severity by its name."""
    return [_named((str(number), word, COLORS[word]) for word, number in SEVERITY.items())]


def rule_names() -> list[ValueMapping]:
    """Whether a rule holds, in words."""
    return [_named([("1", "passed", COLORS["passed"]), ("0", "failed", COLORS["failed"])])]


def coloured_cell() -> DynamicConfigValue:
    """A cell of a table in the colour of its value."""
    options = TableColoredBackgroundCellOptions(mode=TableCellBackgroundDisplayMode.BASIC)
    return DynamicConfigValue("custom.cellOptions", options)


def _named(names: Iterable[tuple[str, str, str]]) -> ValueMap:
    return ValueMap(
        {
            value: ValueMappingResult(text=text, color=color, index=index)
            for index, (value, text, color) in enumerate(names)
        }
    )

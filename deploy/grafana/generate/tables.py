"""Tables: a row for each set of labels, a column for each label and each figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from grafana_foundation_sdk.builders import common, table
from grafana_foundation_sdk.builders.dashboard import DashboardLink
from grafana_foundation_sdk.models.dashboard import (
    DataTransformerConfig,
    DynamicConfigValue,
    ValueMapping,
)
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

from deploy.grafana.generate.panels import About, Query, asked, labelled
from deploy.grafana.generate.verdicts import coloured_cell


@dataclass(frozen=True, slots=True)
class Label:
    """A column that shows a label of the answers."""

    name: str
    title: str
    width: int | None = None
    """In pixels; None shares what is left."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A column that shows the values of a query."""

    title: str
    expr: str
    unit: str = "short"
    width: int = 110
    names: Sequence[ValueMapping] = ()
    """What a value is called and coloured."""


def table_of(
    about: About,
    labels: Sequence[Label],
    figures: Sequence[Figure],
    *,
    link: DashboardLink | None = None,
    sort_by: str,
) -> table.Panel:
    """A table of what is now.

    Args:
        about: What every panel has.
        labels: The first columns; rows with equal ones are one row.
        figures: The other columns.
        link: Where the cells lead.
        sort_by: The title of the column with the highest figure first.
    """
    names = [f"Value #{ref}" for ref in ascii_uppercase[: len(figures)]]
    fields = [*(label.name for label in labels), *(names if len(figures) > 1 else ["Value"])]
    panel = labelled(table.Panel(), about).transformations(_arranged(fields))
    panel.sort_by([common.TableSortByFieldState().display_name(sort_by).desc(desc=True)])
    if link is not None:
        panel.data_links([link])
    for label in labels:
        panel.override_by_name(label.name, _label_column(label))
    for figure, field, ref in zip(figures, fields[len(labels) :], ascii_uppercase, strict=False):
        panel.with_target(asked(Query(figure.expr), ref).instant().format(PromQueryFormat.TABLE))
        panel.override_by_name(field, _figure_column(figure))
    return panel


def _arranged(fields: Sequence[str]) -> list[DataTransformerConfig]:
    order = {field: index for index, field in enumerate(fields)}
    return [
        DataTransformerConfig("merge", options={}),
        DataTransformerConfig("filterFieldsByName", options={"include": {"names": [*fields]}}),
        DataTransformerConfig("organize", options={"indexByName": order}),
    ]


def _label_column(label: Label) -> list[DynamicConfigValue]:
    title = DynamicConfigValue("displayName", label.title)
    width = DynamicConfigValue("custom.width", label.width)
    return [title] if label.width is None else [title, width]


def _figure_column(figure: Figure) -> list[DynamicConfigValue]:
    values: list[tuple[str, object]] = [
        ("displayName", figure.title),
        ("unit", figure.unit),
        ("custom.width", figure.width),
    ]
    column = [DynamicConfigValue(*value) for value in values]
    if figure.names:
        column += [DynamicConfigValue("mappings", [*figure.names]), coloured_cell()]
    return column

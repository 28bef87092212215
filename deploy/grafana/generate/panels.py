"""The kinds of panel that the dashboards are made of, each with the look they share."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TypeVar

from grafana_foundation_sdk.builders import bargauge, common, stat, statetimeline, table, timeseries
from grafana_foundation_sdk.builders.dashboard import FieldColor, ThresholdsConfig
from grafana_foundation_sdk.builders.prometheus import Dataquery
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.variants import Dataquery as AnyQuery
from grafana_foundation_sdk.models import dashboard
from grafana_foundation_sdk.models.common import (
    BarGaugeDisplayMode,
    BigValueColorMode,
    BigValueGraphMode,
    LegendDisplayMode,
    LegendPlacement,
    SortOrder,
    StackingMode,
    TooltipDisplayMode,
    VisibilityMode,
    VizOrientation,
)

SOURCE = dashboard.DataSourceRef("prometheus", "${datasource}")

Panel = stat.Panel | timeseries.Panel | table.Panel | statetimeline.Panel | bargauge.Panel
PanelT = TypeVar(
    "PanelT", stat.Panel, timeseries.Panel, table.Panel, statetimeline.Panel, bargauge.Panel
)
RUNS, SCORES, RECORDS = "suffix: runs/s", "suffix: scores/s", "suffix: records/s"
"""Units of our own."""
Steps = tuple[tuple[float, str], ...]
"""From which value on a colour counts; below the first it is green."""


@dataclass(frozen=True, slots=True)
class About:
    """What every panel has."""

    title: str
    description: str
    """What it shows and how to read it; behind the (i) of the panel."""
    span: int
    """Columns of the grid's 24."""
    height: int = 8
    """Rows of the grid."""
    unit: str = "short"


@dataclass(frozen=True, slots=True)
class Query:
    """A query, and what a line of its answer is called."""

    expr: str
    legend: str = ""
    has_exemplars: bool = False


def stat_of(about: About, query: Query, steps: Steps = ()) -> stat.Panel:
    """What is now, in the colour of its step."""
    panel = stat.Panel().color_mode(BigValueColorMode.VALUE).graph_mode(BigValueGraphMode.NONE)
    panel.reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]))
    return labelled(panel, about, steps).with_target(asked(query, "A").instant())


def bars_of(about: About, query: Query, steps: Steps = ()) -> bargauge.Panel:
    """A bar for each line of an answer of now."""
    panel = bargauge.Panel().orientation(VizOrientation.HORIZONTAL).min(0)
    panel.display_mode(BarGaugeDisplayMode.BASIC)
    panel.reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]))
    return labelled(panel, about, steps).with_target(asked(query, "A").instant())


def lines_of(about: About, *queries: Query, is_stacked: bool = False) -> timeseries.Panel:
    """Figures over time."""
    panel = timeseries.Panel().line_width(1).fill_opacity(30 if is_stacked else 8).min(0)
    panel.show_points(VisibilityMode.AUTO).color_scheme(FieldColor().mode(_BY_NAME))
    panel.stacking(common.StackingConfig().mode(_STACKED if is_stacked else _LOOSE))
    panel.tooltip(
        common.VizTooltipOptions().mode(TooltipDisplayMode.MULTI).sort(SortOrder.DESCENDING)
    )
    panel.legend(_legend("lastNotNull", "max"))
    return labelled(panel, about).targets(_ranged(queries))


def states_of(about: About, *queries: Query) -> statetimeline.Panel:
    """A bar of states for each line, a page of them at a time."""
    panel = statetimeline.Panel().per_page(20).row_height(0.8).line_width(0).fill_opacity(85)
    panel.merge_values(merge_values=True).show_value(VisibilityMode.NEVER)
    panel.legend(_legend())
    return labelled(panel, about).targets(_ranged(queries))


_BY_NAME = dashboard.FieldColorModeId.PALETTE_CLASSIC_BY_NAME
_STACKED, _LOOSE = StackingMode.NORMAL, StackingMode.NONE


def labelled(panel: PanelT, about: About, steps: Steps = ()) -> PanelT:
    """Give a panel what every panel has."""
    panel.title(about.title).description(about.description).datasource(SOURCE)
    panel.span(about.span).height(about.height).unit(about.unit)
    limits = [dashboard.Threshold(color="green"), *(dashboard.Threshold(v, c) for v, c in steps)]
    panel.thresholds(ThresholdsConfig().mode(dashboard.ThresholdsMode.ABSOLUTE).steps(limits))
    return panel


def _ranged(queries: Sequence[Query]) -> list[Builder[AnyQuery]]:
    return [
        asked(query, ref).range().exemplar(query.has_exemplars)
        for query, ref in zip(queries, ascii_uppercase, strict=False)
    ]


def asked(query: Query, ref: str) -> Dataquery:
    """A query as a panel holds it; its kind of answer is left to be said."""
    made = Dataquery().ref_id(ref).datasource(SOURCE).expr(query.expr)
    return made.legend_format(query.legend or "__auto")


def _legend(*figures: str) -> common.VizLegendOptions:
    shown = LegendDisplayMode.TABLE if figures else LegendDisplayMode.LIST
    legend = common.VizLegendOptions().show_legend(show_legend=True).display_mode(shown)
    return legend.placement(LegendPlacement.BOTTOM).calcs([*figures])

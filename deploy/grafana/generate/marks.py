"""Marks on all graphs of a dashboard at the moments when verdicts changed."""

from dataclasses import dataclass

from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.models.dashboard import AnnotationQuery

from deploy.grafana.generate.panels import SOURCE
from deploy.grafana.generate.queries import CHOSEN, REPLAYED, WINDOW, rate, state_of
from deploy.grafana.generate.verdicts import COLORS

_TITLE = "{{agent}} {{group}} {{window}}"


@dataclass(frozen=True, slots=True)
class Marks(Builder[AnnotationQuery]):
    """Marks wherever a query has values above 0."""

    name: str
    """Of the switch that shows and hides them."""
    expr: str
    title: str
    """Labels in it are filled in."""
    color: str

    def build(self) -> AnnotationQuery:
        """The marks as Grafana reads them."""
        return _Titled(self)


class _Titled(AnnotationQuery):
    """The SDK knows no titles of Prometheus' annotations."""

    def __init__(self, marks: Marks) -> None:
        super().__init__(
            name=marks.name, datasource=SOURCE, icon_color=marks.color, expr=marks.expr
        )
        self._title = marks.title

    def to_json(self) -> dict[str, object]:
        return super().to_json() | {"titleFormat": self._title, "step": "60s"}


def transitions() -> list[Marks]:
    """Where live verdicts changed; a partition that moves to another worker makes no mark."""
    return [
        Marks(
            f"to {verdict}",
            rate("verdict_transitions_total", WINDOW, f'verdict="{verdict}", {CHOSEN}') + " > 0",
            f"{_TITLE} is {verdict}",
            COLORS[verdict],
        )
        for verdict in ("failed", "scored", "passed")
    ]


def replayed_failures() -> list[Marks]:
    """Where a replay's verdicts became failed; a replay writes no counter of changes."""
    failed = f"{state_of('failed', REPLAYED)} == 1"
    before = f"{state_of('failed', REPLAYED)} offset $__interval == 1"
    expr = f"max by ({WINDOW}) ({failed} unless {before})"
    return [Marks("to failed", expr, f"{_TITLE} would be failed", COLORS["failed"])]

"""Marks on all graphs of a dashboard at the moments when verdicts changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.models.dashboard import AnnotationQuery

from deploy.grafana.generate.panels import SOURCE
from deploy.grafana.generate.queries import turned
from deploy.grafana.generate.verdicts import COLORS


@dataclass(frozen=True, slots=True)
class Marks(Builder[AnnotationQuery]):
    """Marks where windows changed into a verdict; a switch above the graphs hides them."""

    verdict: str
    selector: str
    """Of the windows."""

    def build(self) -> AnnotationQuery:
        """The marks as Grafana reads them."""
        return _Titled(self)


class _Titled(AnnotationQuery):
    """The SDK knows no titles of Prometheus' annotations."""

    def __init__(self, marks: Marks) -> None:
        super().__init__(
            name=f"to {marks.verdict}",
            datasource=SOURCE,
            icon_color=COLORS[marks.verdict],
            expr=turned(marks.verdict, marks.selector),
        )
        self._title = f"{{{{agent}}}} {{{{group}}}} {{{{window}}}} is {marks.verdict}"

    def to_json(self) -> dict[str, object]:
        return super().to_json() | {"titleFormat": self._title, "step": "60s"}


def marks_of(selector: str) -> Sequence[Marks]:
    """Marks for the verdicts that say something of the agent."""
    return [Marks(verdict, selector) for verdict in ("failed", "scored", "passed")]

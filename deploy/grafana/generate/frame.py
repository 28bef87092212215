"""What stands around a dashboard's panels: its address, links to the others, variables."""

from collections.abc import Sequence
from dataclasses import dataclass

from grafana_foundation_sdk.builders.dashboard import (
    Dashboard,
    DashboardLink,
    DatasourceVariable,
    QueryVariable,
    Row,
)
from grafana_foundation_sdk.models.dashboard import (
    DashboardCursorSync,
    DashboardLinkType,
    VariableHide,
    VariableOption,
    VariableRefresh,
    VariableSort,
)

from deploy.grafana.generate.panels import SOURCE, Panel

TAG = "live-scoring"
TITLES = {
    "live-scoring-fleet": "Fleet",
    "live-scoring-agent": "Agent",
    "live-scoring-worker": "Workers",
    "live-scoring-replay": "Replay",
}
"""By the uid, which is a dashboard's address for ever."""
_WORKERS = "live_scoring_build_info"


@dataclass(frozen=True, slots=True)
class Frame:
    """One dashboard without its panels."""

    uid: str
    description: str
    since: str
    """The beginning of the time range it opens with."""
    refresh: str = ""
    """How often it looks again; empty is never."""

    def dashboard(self, variables: Sequence[QueryVariable]) -> Dashboard:
        """The dashboard; its data source and fleet are the first of its variables."""
        made = Dashboard(f"Live scoring / {TITLES[self.uid]}").uid(self.uid).tags([TAG])
        made.description(self.description).time(self.since, "now").timezone("browser")
        made.tooltip(DashboardCursorSync.CROSSHAIR).editable().links(
            [_to(uid) for uid in TITLES if uid != self.uid]
        )
        if self.refresh:
            made.refresh(self.refresh)
        made.with_variable(DatasourceVariable("datasource").label("Data source").type("prometheus"))
        for variable in (some_of("job", "Job", f"label_values({_WORKERS}, job)"), *variables):
            made.with_variable(variable)
        return made


def agent_page(agent: str, group: str = "", window: str = "") -> DashboardLink:
    """To the page of an agent, in the same time range; each argument is where Grafana has it."""
    where = {"agent": agent, "group": group, "window": window}
    variables = "".join(
        f"var-{name}=${{{place}:percentencode}}&" for name, place in where.items() if place
    )
    return DashboardLink("Open the agent").url(
        f"/d/live-scoring-agent?{variables}${{datasource:queryparam}}&${{job:queryparam}}&${{__url_time_range}}"
    )


def one_of(name: str, label: str, query: str) -> QueryVariable:
    """A variable of which one value is chosen.

    Args:
        name: The variable's.
        label: What a reader calls it.
        query: What gives its values.
    """
    asked: dict[str, object] = {"query": query, "refId": "StandardVariableQuery"}
    made = QueryVariable(name).label(label).datasource(SOURCE).query(asked)
    return made.refresh(VariableRefresh.ON_TIME_RANGE_CHANGED).sort(VariableSort.NATURAL_ASC)


def some_of(name: str, label: str, query: str) -> QueryVariable:
    """A variable of which any number is chosen; at first all, even those without a name."""
    made = one_of(name, label, query).multi(multi=True).include_all(include_all=True)
    return made.all_value(".*").current(VariableOption(text="All", value="$__all"))


def hidden(variable: QueryVariable) -> QueryVariable:
    """A variable that repeats a panel for all its values and is not shown."""
    return variable.hide(VariableHide.HIDE_VARIABLE)


def fill(dashboard: Dashboard, parts: Sequence[Panel | str]) -> Dashboard:
    """Lay panels out from left to right and down, under rows with the titles among them."""
    for number, part in enumerate(parts, 1):
        if isinstance(part, str):
            dashboard.with_row(Row(part).id(number))
        else:
            dashboard.with_panel(part.id(number))
    return dashboard


def _to(uid: str) -> DashboardLink:
    link = DashboardLink(TITLES[uid]).type(DashboardLinkType.LINK).icon("dashboard")
    return link.url(f"/d/{uid}?${{datasource:queryparam}}&${{job:queryparam}}").keep_time(
        keep_time=True
    )

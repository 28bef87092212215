"""The fleet overview: which agents are well, which rule fails, since when."""

from grafana_foundation_sdk.builders.dashboard import Dashboard

from deploy.grafana.generate.frame import Frame, agent_page, fill, some_of
from deploy.grafana.generate.marks import marks_of
from deploy.grafana.generate.panels import (
    RUNS,
    About,
    Panel,
    Query,
    bars_of,
    lines_of,
    stat_of,
    states_of,
)
from deploy.grafana.generate.queries import (
    CHOSEN,
    FLEET,
    WINDOW,
    above_0,
    count_of,
    failing_gates,
    failure_ratio,
    growth,
    missed_thresholds,
    most,
    of,
    rules,
    runs_by_agent,
    severity,
)
from deploy.grafana.generate.tables import Figure, Label, table_of
from deploy.grafana.generate.verdicts import COLORS, verdict_names

_FRAME = Frame(
    "live-scoring-fleet",
    "The verdict of every agent, the rules that fail, and when verdicts changed.",
    since="now-6h",
    refresh="30s",
)
_AGENTS = f'{FLEET}, agent=~"$agent"'
_COUNTS = {
    "failed": "Windows with a gate that failed. Anything but 0 wants a look at the tables below.",
    "scored": "Windows whose gates passed while a scorer's mean is out of its bounds.",
    "passed": "Windows in which every rule with enough samples holds.",
    "no_data": "Windows in which no rule has enough samples: quiet agents, mostly.",
}


def dashboard() -> Dashboard:
    """The dashboard."""
    live = of("verdict_state", f'{FLEET}, replay=""')
    of_agents = of("verdict_state", f'{_AGENTS}, replay=""')
    made = _FRAME.dashboard(
        [
            some_of("agent", "Agent", f"label_values({live}, agent)"),
            some_of("group", "Group", f"label_values({of_agents}, group)"),
            some_of("window", "Window", f"label_values({of_agents}, window)"),
        ]
    )
    made.annotations([*marks_of(CHOSEN)])
    return fill(made, [*_stats(), _verdicts(), _failing(), _timeline(), _worst(), _runs()])


def _stats() -> list[Panel]:
    counted: list[Panel] = [
        stat_of(
            About(verdict.replace("_", " ").capitalize(), description, span=4, height=4),
            Query(count_of(verdict, CHOSEN)),
            () if verdict == "passed" else ((1, COLORS[verdict]),),
        )
        for verdict, description in _COUNTS.items()
    ]
    changes = stat_of(
        About(
            "Changes",
            "Verdicts that changed in the time range. Many changes of few agents: a rule flaps; "
            "ask for a share (`pass_ratio`) or for more samples.",
            span=4,
            height=4,
        ),
        Query(f"round({growth('verdict_transitions_total', selector=CHOSEN)}) or vector(0)"),
    )
    workers = stat_of(
        About("Workers", "Workers that Prometheus scrapes.", span=4, height=4),
        Query(f"count({of('build_info')}) or vector(0)"),
        ((0, "red"), (1, "green")),
    )
    return [*counted, changes, workers]


def _verdicts() -> Panel:
    failing = f"count by ({WINDOW}) (({rules(CHOSEN)}) == 0)"
    changes = f"round({growth('verdict_transitions_total', WINDOW, CHOSEN)})"
    idle = f"time() - {most('last_run_timestamp_seconds', _AGENTS, 'agent')}"
    windows = f"0 * {severity(CHOSEN)}"
    return table_of(
        About(
            "Verdicts",
            "Each window of each agent as it is now, the worst first. A row leads to the agent. "
            "`Last run` is how long ago the newest run ended.",
            span=14,
            height=11,
        ),
        [Label("agent", "Agent"), Label("group", "Group", 110), Label("window", "Window", 90)],
        [
            Figure("Verdict", severity(CHOSEN), names=verdict_names()),
            Figure("Rules failing", failing, width=120),
            Figure("Changes", changes),
            Figure("Last run", f"{windows} + on (agent) group_left () ({idle})", unit="s"),
        ],
        link=_AGENT_OF_ROW,
        sort_by="Verdict",
    )


def _failing() -> Panel:
    return table_of(
        About(
            "Failing rules",
            "Gates that fail, with the runs in the window that did not pass, and thresholds that "
            "are missed, with the mean. Empty when all is well.",
            span=10,
            height=11,
        ),
        [
            Label("agent", "Agent"),
            Label("group", "Group", 90),
            Label("window", "Window", 80),
            Label("rule", "Rule"),
        ],
        [
            Figure("Not passed", failing_gates(CHOSEN), width=100),
            Figure("Mean", missed_thresholds(CHOSEN), width=80),
        ],
        link=_AGENT_OF_ROW,
        sort_by="Not passed",
    ).no_value("No rule fails")


def _timeline() -> Panel:
    panel = states_of(
        About(
            "Verdicts over time",
            "One bar for each window of each agent, 20 to a page. Gaps are times without a "
            "worker that owned the agent.",
            span=24,
            height=10,
        ),
        Query(severity(CHOSEN), "{{agent}} {{group}} {{window}}"),
    )
    return panel.mappings(verdict_names()).data_links([_AGENT_OF_SERIES])


def _worst() -> Panel:
    return (
        bars_of(
            About(
                "Gates that fail most",
                "The ten gates with the highest share of runs in the time range that did not pass. "
                "Runs whose scorer erred count as not passed.",
                span=12,
                unit="percentunit",
            ),
            Query(
                f"topk(10, {above_0(failure_ratio('agent, gate', _AGENTS, is_over_range=True))})",
                "{{agent}}: {{gate}}",
            ),
            ((0.001, COLORS["scored"]), (0.01, COLORS["failed"])),
        )
        .no_value("Every run passed")
        .data_links([_AGENT_OF_SERIES])
    )


def _runs() -> Panel:
    return lines_of(
        About(
            "Runs",
            "Runs of the ten busiest agents, before sampling. An agent whose line ends has "
            "fallen quiet.",
            span=12,
            unit=RUNS,
        ),
        Query(f"topk(10, {runs_by_agent(_AGENTS)})", "{{agent}}"),
    ).data_links([_AGENT_OF_SERIES])


_AGENT_OF_ROW = agent_page("__data.fields.agent", "__data.fields.group", "__data.fields.window")
_AGENT_OF_SERIES = agent_page("__field.labels.agent")

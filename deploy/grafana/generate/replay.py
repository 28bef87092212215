"""The history that a replay wrote: what the rules would have said of the past."""

from grafana_foundation_sdk.builders.dashboard import Dashboard

from deploy.grafana.generate.frame import Frame, fill, one_of, some_of
from deploy.grafana.generate.marks import marks_of
from deploy.grafana.generate.panels import About, Panel, Query, lines_of, stat_of, states_of
from deploy.grafana.generate.queries import (
    CHOSEN,
    REPLAYED,
    WINDOW,
    most,
    of,
    rules,
    severity,
    share_of_time,
    state_of,
)
from deploy.grafana.generate.tables import Figure, Label, table_of
from deploy.grafana.generate.verdicts import COLORS, rule_names, verdict_names

_FRAME = Frame(
    "live-scoring-replay",
    "What a replay would have said. `live-scoring replay --to-openmetrics FILE` writes it and "
    "`promtool tsdb create-blocks-from openmetrics FILE DIR` makes it Prometheus' own; choose the "
    "time range that was replayed.",
    since="now-7d",
)


def dashboard() -> Dashboard:
    """The dashboard."""
    replays = of("verdict_state", 'replay!=""')
    past = of("verdict_state", 'replay="$replay"')
    of_agents = of("verdict_state", 'replay="$replay", agent=~"$agent"')
    made = _FRAME.dashboard(
        [
            one_of("replay", "Replay", f"label_values({replays}, replay)"),
            some_of("agent", "Agent", f"label_values({past}, agent)"),
            some_of("group", "Group", f"label_values({of_agents}, group)"),
            some_of("window", "Window", f"label_values({of_agents}, window)"),
        ]
    )
    made.annotations([*marks_of(REPLAYED)])
    return fill(
        made,
        [
            *_stats(),
            _shares(),
            _failed_rules(),
            _replayed(),
            _live(),
            _rules(),
            "Figures",
            _means(),
            _failures(),
            _samples(),
            _errors(),
        ],
    )


def _stats() -> list[Panel]:
    windows = (
        f"count(count by ({WINDOW}) (last_over_time({of('verdict_state', REPLAYED)}[$__range])))"
    )
    failed = f"max by ({WINDOW}) (max_over_time({state_of('failed', REPLAYED)}[$__range])) == 1"
    return [
        stat_of(
            About("Windows", "Windows of agents that the replay tells of in the time range.", 6, 4),
            Query(windows),
        ),
        stat_of(
            About("Windows that failed", "Those among them that were ever failed.", 6, 4),
            Query(f"count({failed}) or vector(0)"),
            ((1, COLORS["failed"]),),
        ),
        stat_of(
            About(
                "Time failed",
                "The share of the time, the mean of all windows.",
                6,
                4,
                "percentunit",
            ),
            Query(f"avg({share_of_time(state_of('failed', REPLAYED), WINDOW)})"),
            ((0.001, COLORS["scored"]), (0.05, COLORS["failed"])),
        ),
        stat_of(
            About(
                "Time without data",
                "The share in which no rule had enough samples.",
                6,
                4,
                "percentunit",
            ),
            Query(f"avg({share_of_time(state_of('no_data', REPLAYED), WINDOW)})"),
        ),
    ]


def _shares() -> Panel:
    return table_of(
        About("Time by verdict", "How long each window had each verdict, as a share.", 14, 9),
        [Label("agent", "Agent"), Label("group", "Group", 110), Label("window", "Window", 90)],
        [
            Figure(
                verdict.replace("_", " ").capitalize(),
                share_of_time(state_of(verdict, REPLAYED), WINDOW),
                "percentunit",
                90,
            )
            for verdict in ("failed", "scored", "passed", "no_data")
        ],
        sort_by="Failed",
    )


def _failed_rules() -> Panel:
    gates = f"1 - {share_of_time(of('gate_passed', REPLAYED), f'{WINDOW}, gate')}"
    thresholds = f"1 - {share_of_time(of('threshold_passed', REPLAYED), f'{WINDOW}, scorer')}"
    return table_of(
        About(
            "Rules that failed",
            "How long each gate failed or threshold was missed, as a share of the time with enough "
            "samples. Rules that always held are left out.",
            10,
            9,
        ),
        [
            Label("agent", "Agent"),
            Label("group", "Group", 90),
            Label("window", "Window", 80),
            Label("gate", "Gate"),
            Label("scorer", "Scorer"),
        ],
        [
            Figure("Gate failed", f"({gates}) > 0", "percentunit", 100),
            Figure("Missed", f"({thresholds}) > 0", "percentunit", 90),
        ],
        sort_by="Gate failed",
    ).no_value("No rule failed")


def _replayed() -> Panel:
    return states_of(
        About("Verdicts of the replay", "One bar for each window of each agent.", 24, 8),
        Query(severity(REPLAYED), "{{agent}} {{group}} {{window}}"),
    ).mappings(verdict_names())


def _live() -> Panel:
    return states_of(
        About(
            "Live verdicts of the same time",
            "What the live worker said: where the two differ, so do the rules.",
            24,
            8,
        ),
        Query(severity(CHOSEN), "{{agent}} {{group}} {{window}}"),
    ).mappings(verdict_names())


def _rules() -> Panel:
    return states_of(
        About("Rules of the replay", "One bar for each gate and threshold; 20 to a page.", 24, 10),
        Query(rules(REPLAYED), "{{agent}} {{group}} {{window}}: {{rule}}"),
    ).mappings(rule_names())


def _means() -> Panel:
    return lines_of(
        About("Means", "Each scorer's mean in the window.", 12, unit="none"),
        Query(
            _each("window_score_average", "scorer"), "{{agent}} {{group}} {{window}}: {{scorer}}"
        ),
    ).max(1)


def _failures() -> Panel:
    return lines_of(
        About("Runs not passed", "Runs in the window that did not pass each gate.", 12),
        Query(_each("window_gate_failures", "gate"), "{{agent}} {{group}} {{window}}: {{gate}}"),
    )


def _samples() -> Panel:
    return lines_of(
        About("Samples", "Scores in the window.", 12),
        Query(_each("window_samples", "scorer"), "{{agent}} {{group}} {{window}}: {{scorer}}"),
    )


def _errors() -> Panel:
    return lines_of(
        About("Errors", "Errors in the window.", 12),
        Query(_each("window_errors", "scorer"), "{{agent}} {{group}} {{window}}: {{scorer}}"),
    )


def _each(metric: str, label: str) -> str:
    return most(metric, REPLAYED, f"{WINDOW}, {label}")

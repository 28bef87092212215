"""The drill-down of one agent: which rule, how far off, from how many runs."""

from grafana_foundation_sdk.builders import common
from grafana_foundation_sdk.builders.dashboard import Dashboard
from grafana_foundation_sdk.models.dashboard import DynamicConfigValue

from deploy.grafana.generate.frame import Frame, fill, hidden, one_of, some_of
from deploy.grafana.generate.marks import marks_of
from deploy.grafana.generate.panels import (
    RUNS,
    SCORES,
    About,
    Panel,
    Query,
    lines_of,
    stat_of,
    states_of,
)
from deploy.grafana.generate.queries import (
    CHOSEN,
    FLEET,
    SCORED,
    above_0,
    failure_ratio,
    growth,
    most,
    of,
    rate,
    rules,
    runs_by_agent,
    severity,
)
from deploy.grafana.generate.verdicts import COLORS, rule_names, verdict_names

_FRAME = Frame(
    "live-scoring-agent",
    "One agent in one window: its rules, each scorer's mean against its bounds, and the samples "
    "behind them.",
    since="now-6h",
    refresh="30s",
)
_AGENT = f'{FLEET}, agent="$agent"'
_BY_SCORER = "group, scorer"


def dashboard() -> Dashboard:
    """The dashboard."""
    all_live = of("verdict_state", f'{FLEET}, replay=""')
    live = of("verdict_state", f'{_AGENT}, replay=""')
    averages = f"group by (scorer) ({of('window_score_average', CHOSEN)})"
    gates = f'label_replace({of("gate_critical", _AGENT)}, "scorer", "$1", "gate", "(.*)")'
    scorers = f"query_result({averages} unless on (scorer) {gates})"
    made = _FRAME.dashboard(
        [
            one_of("agent", "Agent", f"label_values({all_live}, agent)"),
            one_of("window", "Window", f"label_values({live}, window)"),
            some_of("group", "Group", f"label_values({live}, group)"),
            hidden(some_of("scorer", "Scorer", scorers).regex('/scorer="([^"]*)"/')),
        ]
    )
    made.annotations([*marks_of(CHOSEN)])
    return fill(
        made,
        [
            *_stats(),
            _verdict(),
            _rules(),
            "Scorers",
            _means(),
            "Gates",
            _ratio(),
            _failures(),
            "Samples",
            _samples(),
            _outcomes(),
            _left_out(),
        ],
    )


def _stats() -> list[Panel]:
    verdict = stat_of(
        About("Verdict", "What the window says now; of several groups the worst.", 6, 4),
        Query(f"max({severity(CHOSEN)})"),
    ).mappings(verdict_names())
    failing = stat_of(
        About(
            "Rules failing", "Gates that fail and thresholds that are missed, over groups.", 6, 4
        ),
        Query(f"count(({rules(CHOSEN)}) == 0) or vector(0)"),
        ((1, COLORS["failed"]),),
    )
    idle = stat_of(
        About("Last run", "How long ago the newest run ended.", 4, 4, "s"),
        Query(f"time() - max({of('last_run_timestamp_seconds', _AGENT)})"),
    )
    changes = stat_of(
        About("Changes", "Changes of the verdict in the time range.", 4, 4),
        Query(f"round({growth('verdict_transitions_total', selector=CHOSEN)}) or vector(0)"),
    )
    runs = stat_of(
        About("Runs", "Runs a second, before sampling.", 4, 4, RUNS),
        Query(runs_by_agent(_AGENT)),
    )
    return [verdict, failing, idle, changes, runs]


def _verdict() -> Panel:
    return states_of(
        About("Verdict over time", "One bar for each group.", 24, 5),
        Query(severity(CHOSEN), "{{window}} {{group}}"),
    ).mappings(verdict_names())


def _rules() -> Panel:
    return states_of(
        About(
            "Rules over time",
            "One bar for each gate and threshold. A gap means too few samples to judge by.",
            24,
            9,
        ),
        Query(rules(CHOSEN), "{{rule}} {{group}}"),
    ).mappings(rule_names())


def _means() -> Panel:
    chosen = f'{CHOSEN}, scorer="$scorer"'
    return (
        lines_of(
            About(
                "$scorer",
                "The mean of the window, with the threshold's bounds as dashed lines. A scorer "
                "without a threshold has none.",
                24,
                unit="none",
            ),
            Query(most("window_score_average", chosen, "group"), "mean {{group}}"),
            Query(most("threshold_bound", chosen, "bound"), "{{bound}}"),
        )
        .max(1)
        .repeat("scorer")
        .repeat_direction("h")
        .max_per_row(2)
        .override_by_regexp("/^(min|max)$/", _dashed())
    )


def _dashed() -> list[DynamicConfigValue]:
    dashed = common.LineStyle().fill("dash").dash([8, 6]).build()
    line: list[tuple[str, object]] = [
        ("custom.lineStyle", dashed),
        ("custom.fillOpacity", 0),
        ("color", {"mode": "fixed", "fixedColor": COLORS["failed"]}),
    ]
    return [DynamicConfigValue(*each) for each in line]


def _ratio() -> Panel:
    asked = most("gate_pass_ratio", _AGENT, "gate")
    return lines_of(
        About(
            "Failure ratio",
            "The share of runs that did not pass each gate, whatever the window; dashed is what a "
            "`pass_ratio` lets fail. Diamonds are traces of failing runs, where Prometheus keeps "
            "exemplars.",
            12,
            unit="percentunit",
        ),
        Query(failure_ratio("gate", _AGENT), "{{gate}}", has_exemplars=True),
        Query(above_0(f"1 - {asked}"), "{{gate}} may fail"),
    ).override_by_regexp("/ may fail$/", _dashed())


def _failures() -> Panel:
    return lines_of(
        About("Runs not passed", "Runs in the window that did not pass each gate.", 12),
        Query(most("window_gate_failures", CHOSEN, "group, gate"), "{{gate}} {{group}}"),
    )


def _samples() -> Panel:
    return lines_of(
        About(
            "Samples",
            "Scores in the window. A rule judges only with `min_samples`; sampling below 1 makes "
            "fewer than there are runs.",
            8,
        ),
        Query(most("window_samples", CHOSEN, _BY_SCORER), "{{scorer}} {{group}}"),
        Query(above_0(most("window_errors", CHOSEN, _BY_SCORER)), "{{scorer}} {{group}} (errors)"),
    )


def _outcomes() -> Panel:
    errors = rate("scorer_outcomes_total", "scorer", f'{_AGENT}, outcome="error"')
    return lines_of(
        About(
            "Scorer errors",
            "The share of runs on which each scorer erred. A gate counts an error as not passed "
            "unless `on_error: ignore`; the score's `error_message` tells why.",
            8,
            unit="percentunit",
        ),
        Query(
            f"{errors} / {rate('scorer_outcomes_total', 'scorer', f'{_AGENT}, {SCORED}')}",
            "{{scorer}}",
        ),
    )


def _left_out() -> Panel:
    return lines_of(
        About(
            "Scores left out",
            "Scores that no window counts: too late, of an older version of the scorer, or of a "
            "replay.",
            8,
            unit=SCORES,
        ),
        Query(rate("scores_ignored_total", "reason", _AGENT), "{{reason}}"),
        is_stacked=True,
    )

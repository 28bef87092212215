"""Operations of the workers: do they keep up, and what do they leave aside."""

from grafana_foundation_sdk.builders.dashboard import Dashboard

from deploy.grafana.generate.frame import Frame, fill
from deploy.grafana.generate.panels import (
    RECORDS,
    RUNS,
    SCORES,
    About,
    Panel,
    Query,
    Steps,
    lines_of,
    stat_of,
)
from deploy.grafana.generate.queries import FLEET, SCORED, above_0, of, quantile, rate
from deploy.grafana.generate.tables import Figure, Label, table_of

_FRAME = Frame(
    "live-scoring-worker",
    "Whether the workers keep up with the runs, what they could not read, and which configuration "
    "they run.",
    since="now-1h",
    refresh="30s",
)
_OURS = f"and on (job, instance) {of('build_info')}"
_ALARM: Steps = ((1, "red"),)


def dashboard() -> Dashboard:
    """The dashboard."""
    return fill(
        _FRAME.dashboard([]),
        [
            *_stats(),
            "Throughput",
            *_throughput(),
            "Lag",
            *_lag(),
            "Left aside, and told",
            *_left_aside(),
            "Scorers",
            *_scorers(),
            "Runs that come in spans",
            *_spans(),
            "Processes",
            *_processes(),
        ],
    )


def _stats() -> list[Panel]:
    read = f"({rate('runs_consumed_total')} + {_unread()})"
    judged = of("verdict_evaluated_timestamp_seconds")
    return [
        stat_of(
            About("Workers", "Workers that Prometheus scrapes.", 4, 4),
            Query(f"count({of('build_info')}) or vector(0)"),
            ((0, "red"), (1, "green")),
        ),
        stat_of(
            About("Configurations", "More than one for long is a fleet that disagrees.", 4, 4),
            Query(f"count(count by (hash) ({of('config_info')})) or vector(0)"),
            ((2, "red"),),
        ),
        stat_of(
            About("Refused", "Workers that refused their newest configuration.", 4, 4),
            Query(f"count({of('config_last_reload_successful')} == 0) or vector(0)"),
            _ALARM,
        ),
        stat_of(
            About(
                "Behind", "Age of the last record processed, of the topic furthest back.", 4, 4, "s"
            ),
            Query(f"max({of('consumer_lag_seconds')})"),
            ((10, "yellow"), (60, "red")),
        ),
        stat_of(
            About("Share of dead letters", "Records that no run came of.", 4, 4, "percentunit"),
            Query(f"{rate('dead_letters_total')} / ({read} > 0) or vector(0)"),
            ((0.001, "yellow"), (0.01, "red")),
        ),
        stat_of(
            About("Last judged", "Since the agent that waits longest was judged.", 4, 4, "s"),
            Query(f"time() - min(max by (agent) ({judged}))"),
            ((30, "yellow"), (60, "red")),
        ),
    ]


def _unread() -> str:
    return rate("dead_letters_total", selector=f'{FLEET}, stage="decode"')


def _throughput() -> list[Panel]:
    latency = [
        Query(quantile(share, "end_to_end_latency_seconds"), f"{share:.0%}")
        for share in (0.5, 0.95, 0.99)
    ]
    latency[-1] = Query(latency[-1].expr, latency[-1].legend, has_exemplars=True)
    return [
        lines_of(
            About("Runs", "Runs decoded, by topic and format.", 8, unit=RUNS),
            Query(above_0(rate("runs_consumed_total", "topic, format")), "{{topic}} {{format}}"),
            is_stacked=True,
        ).no_value("No runs"),
        lines_of(
            About("Scores", "Scores that the broker has confirmed.", 8, unit=SCORES),
            Query(rate("scores_published_total"), "scores"),
        ),
        lines_of(
            About(
                "Latency",
                "From the end of a run to its scores confirmed; runs that come in spans wait for "
                "their trace to be whole. Diamonds are traces, where Prometheus keeps exemplars.",
                8,
                unit="s",
            ),
            *latency,
        ),
    ]


def _lag() -> list[Panel]:
    rebuilding = f"sum(max by (partition) ({of('rebuilding')})) or vector(0)"
    return [
        lines_of(
            About("Behind by topic", "Age of the last record processed.", 8, unit="s"),
            Query(f"max by (topic) ({of('consumer_lag_seconds')})", "{{topic}}"),
        ),
        lines_of(
            About(
                "Records to read",
                "Records between position and end, by topic, and the scores that a restart would "
                "count again.",
                8,
            ),
            Query(
                f"sum by (topic) (max by (topic, partition) ({of('consumer_lag_records')}))",
                "{{topic}}",
            ),
            Query(
                f"sum(max by (partition) ({of('pane_lag_records')}))",
                "counted again by a restart",
            ),
        ),
        lines_of(
            About(
                "Rebuilding",
                "Partitions whose windows are being rebuilt, as after a restart, and windows "
                "into which the scores topic does not reach back.",
                8,
            ),
            Query(rebuilding, "partitions rebuilt"),
            Query(
                f"count(min by (window) ({of('window_complete')}) == 0) or vector(0)",
                "incomplete windows",
            ),
        ),
    ]


def _left_aside() -> list[Panel]:
    return [
        lines_of(
            About(
                "Dead letters",
                "Records on the dead-letter topic: `live-scoring dead-letters list` tells of them.",
                6,
                unit=RECORDS,
            ),
            Query(above_0(rate("dead_letters_total", "stage, reason")), "{{stage}}: {{reason}}"),
            is_stacked=True,
        ).no_value("No dead letters"),
        lines_of(
            About(
                "Runs skipped",
                "Runs that no rule asked for; `unknown_agent` is an agent without a file.",
                6,
                unit=RUNS,
            ),
            Query(rate("runs_skipped_total", "reason"), "{{reason}}"),
            is_stacked=True,
        ),
        lines_of(
            About(
                "Oddities",
                "Deliveries that the broker refused, runs counted before, runs that end in the "
                "future, and scores beyond the cap of agents. All but repeats should be 0.",
                6,
                unit="cps",
            ),
            Query(rate("publish_failures_total"), "refused"),
            Query(rate("runs_duplicate_total"), "repeated"),
            Query(rate("clock_skew_total"), "in the future"),
            Query(rate("agents_overflow_total"), "beyond the cap"),
        ),
        lines_of(
            About(
                "Notifications",
                "Transitions that webhooks took, that they refused, and those of which they could "
                "not be told in time.",
                6,
                unit="cps",
            ),
            Query(rate("notifications_total", "webhook, result"), "{{webhook}}: {{result}}"),
        ).no_value("No webhook is configured"),
    ]


def _scorers() -> list[Panel]:
    errors = rate("scorer_outcomes_total", "agent, scorer", f'{FLEET}, outcome="error"')
    seen = rate("scorer_outcomes_total", "agent, scorer", f"{FLEET}, {SCORED}")
    return [
        lines_of(
            About(
                "Scorer errors",
                "The ten scorers that err on the highest share of runs.",
                12,
                unit="percentunit",
            ),
            Query(f"topk(10, {above_0(f'{errors} / {seen}')})", "{{agent}}: {{scorer}}"),
        ).no_value("No scorer errs"),
        lines_of(
            About("Time in scorers", "99 % of the runs take less; the ten slowest.", 12, unit="s"),
            Query(f"topk(10, {quantile(0.99, 'scorer_duration_seconds', 'scorer')})", "{{scorer}}"),
        ),
    ]


def _spans() -> list[Panel]:
    return [
        lines_of(
            About("Open traces", "Traces from which runs are being assembled.", 8),
            Query(f"sum({of('open_runs')})", "open"),
        ),
        lines_of(
            About(
                "Incomplete runs",
                "Runs of traces that were closed without their root. `idle` is usual where the "
                "root's process sends no spans here.",
                8,
                unit=RUNS,
            ),
            Query(rate("runs_incomplete_total", "reason"), "{{reason}}"),
            is_stacked=True,
        ),
        lines_of(
            About(
                "Late and split",
                "Spans after their trace was closed, and traces spread over partitions: the "
                "Collector wants `partition_traces_by_id`.",
                8,
                unit="cps",
            ),
            Query(rate("spans_late_total"), "late spans"),
            Query(rate("traces_split_total"), "split traces"),
        ),
    ]


def _processes() -> list[Panel]:
    memory = f"process_resident_memory_bytes {_OURS}"
    build = "version, revision, python"
    joined = f"{of('build_info')} * on (job, instance) group_left (hash) {of('config_info')}"
    return [
        lines_of(
            About(
                "Processors", "Processor time of all workers, and of the busiest.", 8, unit="none"
            ),
            Query(f"sum({_cpu()})", "all"),
            Query(f"max({_cpu()})", "the busiest"),
        ),
        lines_of(
            About("Memory", "Memory of the largest worker.", 8, unit="bytes"),
            Query(f"max({memory})", "the largest"),
        ),
        table_of(
            About(
                "What runs", "Workers by version and configuration: one row is a fleet at one.", 8
            ),
            [
                Label("version", "Version", 80),
                Label("revision", "Revision"),
                Label("python", "Python", 80),
                Label("hash", "Configuration"),
            ],
            [Figure("Workers", f"count by ({build}, hash) ({joined})", width=90)],
            sort_by="Workers",
        ),
    ]


def _cpu() -> str:
    return f"rate(process_cpu_seconds_total[$__rate_interval]) {_OURS}"

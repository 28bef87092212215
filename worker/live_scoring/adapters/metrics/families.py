"""The metrics that exist: `deploy/README.md` shows this table and a test compares the two."""

from dataclasses import dataclass
from typing import Literal

PREFIX = "live_scoring_"

Kind = Literal["counter", "gauge", "histogram", "info"]
_WINDOW = ("agent", "group", "window")


@dataclass(frozen=True, slots=True)
class Family:
    """One metric: all its series share name, kind, labels and help."""

    name: str
    """Without the prefix; a counter's with `_total`, an info's with `_info`."""
    kind: Kind
    labels: tuple[str, ...]
    help: str


FAMILIES = (
    Family("runs_consumed_total", "counter", ("topic", "format"), "Runs decoded"),
    Family(
        "dead_letters_total", "counter", ("stage", "reason"), "Records put on the dead-letter topic"
    ),
    Family("runs_skipped_total", "counter", ("reason",), "Runs that no rule asked for"),
    Family(
        "clock_skew_total",
        "counter",
        ("topic",),
        "Runs placed by the record's time because theirs lay in the future",
    ),
    Family("runs_duplicate_total", "counter", ("topic",), "Runs that a window had already counted"),
    Family(
        "runs_incomplete_total",
        "counter",
        ("reason",),
        "Runs taken from traces that were closed without their root's end",
    ),
    Family("open_runs", "gauge", (), "Traces from which runs are being assembled"),
    Family("spans_late_total", "counter", (), "Spans that came after their trace was closed"),
    Family(
        "traces_split_total",
        "counter",
        (),
        "Traces whose spans came in another partition of their topic too",
    ),
    Family("scores_ignored_total", "counter", ("agent", "reason"), "Scores left out of a window"),
    Family(
        "scorer_outcomes_total",
        "counter",
        ("agent", "scorer", "outcome"),
        "How scorers ended on runs",
    ),
    Family(
        "scores_published_total",
        "counter",
        ("agent", "scorer"),
        "Scores that the broker has confirmed",
    ),
    Family("score_value", "histogram", ("agent", "scorer"), "Scores; off by default"),
    Family(
        "gate_runs_total",
        "counter",
        ("agent", "gate", "result"),
        "Runs that a gate judged; failure-ratio alerts are built on these",
    ),
    Family(
        "gate_critical",
        "gauge",
        ("agent", "gate"),
        "1 for a gate of which one failure is enough to wake someone, else 0",
    ),
    Family(
        "gate_pass_ratio",
        "gauge",
        ("agent", "gate"),
        "Share of runs that the gate asks for; 1 where every run must pass",
    ),
    Family(
        "scorer_duration_seconds",
        "histogram",
        ("scorer",),
        "Time in the scorer, of one run in eight",
    ),
    Family(
        "end_to_end_latency_seconds",
        "histogram",
        (),
        "From the end of a run to its scores confirmed",
    ),
    Family("window_samples", "gauge", (*_WINDOW, "scorer"), "Scores in the window"),
    Family("window_errors", "gauge", (*_WINDOW, "scorer"), "Errors in the window"),
    Family(
        "window_gate_failures",
        "gauge",
        (*_WINDOW, "gate"),
        "Runs in the window that did not pass the gate",
    ),
    Family(
        "window_complete", "gauge", ("window",), "0 while the scores log begins inside the window"
    ),
    Family(
        "window_score_average",
        "gauge",
        (*_WINDOW, "scorer"),
        "Mean score in the window; absent when empty",
    ),
    Family(
        "gate_passed",
        "gauge",
        (*_WINDOW, "gate"),
        "1 or 0; absent while the window holds too few samples",
    ),
    Family(
        "threshold_passed",
        "gauge",
        (*_WINDOW, "scorer"),
        "1 or 0; absent while the window holds too few samples",
    ),
    Family(
        "threshold_bound",
        "gauge",
        (*_WINDOW, "scorer", "bound"),
        "The threshold's min and max, for the lines of a panel",
    ),
    Family(
        "verdict_state",
        "gauge",
        (*_WINDOW, "verdict"),
        "1 for the window's verdict, 0 for the other three",
    ),
    Family("verdict_transitions_total", "counter", (*_WINDOW, "verdict"), "Changes into a verdict"),
    Family(
        "verdict_evaluated_timestamp_seconds", "gauge", ("agent",), "When the agent was last judged"
    ),
    Family("last_run_timestamp_seconds", "gauge", ("agent",), "End of the newest run seen"),
    Family(
        "consumer_lag_records",
        "gauge",
        ("topic", "partition"),
        "Records between position and high watermark",
    ),
    Family("consumer_lag_seconds", "gauge", ("topic",), "Age of the last record processed"),
    Family(
        "rebuilding",
        "gauge",
        ("partition",),
        "1 while the partition's windows are rebuilt from the scores topic",
    ),
    Family(
        "pane_lag_records",
        "gauge",
        ("partition",),
        "Scores that no pane tells of: a restart counts them again",
    ),
    Family("publish_failures_total", "counter", ("topic",), "Deliveries that the broker refused"),
    Family(
        "notifications_total",
        "counter",
        ("webhook", "result"),
        "What became of transitions that a webhook was to be told of",
    ),
    Family("agents_overflow_total", "counter", (), "Scores of agents or groups beyond the cap"),
    Family(
        "config_last_reload_successful",
        "gauge",
        (),
        "1 if the configuration's last load succeeded, else 0",
    ),
    Family(
        "config_last_reload_success_timestamp_seconds",
        "gauge",
        (),
        "When the configuration was last loaded with success",
    ),
    Family("config_info", "info", ("hash",), "Hash of the agents, defaults and windows in force"),
    Family("build_info", "info", ("version", "revision", "python"), "What runs here"),
)

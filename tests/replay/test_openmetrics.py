"""A timeline as OpenMetrics text: what the live worker's series would have been."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from live_scoring.adapters.metrics.families import FAMILIES, PREFIX
from live_scoring.core.pipeline import Plan
from live_scoring.core.timeline import Timeline
from live_scoring.core.window import WindowSpec
from live_scoring.replay.openmetrics import write_openmetrics
from tests.core.timelines import by_pane_end, close_at, score_at, timeline_of
from tests.live.boards import MINUTE, NOW_MS, agent_plan

WHERE = {"replay": "r", "agent": "agent-1", "group": "", "window": "1m"}
PANE_MS = MINUTE.pane_ms

Samples = dict[int, float]
"""Values by time in milliseconds since the epoch."""


def text_of(timeline: Timeline, *bounds: int) -> str:
    return b"".join(write_openmetrics(timeline, "r", *bounds)).decode()


def series_of(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], Samples]:
    """The samples, by name without the prefix and labels; the parser minds order and grouping."""
    found: dict[tuple[str, frozenset[tuple[str, str]]], Samples] = {}
    families = text_string_to_metric_families(text)  # type: ignore[no-untyped-call] # the library's
    for family in families:
        for sample in family.samples:
            key = (sample.name.removeprefix(PREFIX), frozenset(sample.labels.items()))
            at_ms = sample.timestamp.sec * 1000 + sample.timestamp.nsec // 1_000_000
            found.setdefault(key, {})[at_ms] = sample.value
    return found


def samples(text: str, name: str, **labels: str) -> Samples:
    return series_of(text).get((name, frozenset((WHERE | labels).items())), {})


def minutes(*scores: Any, **fields: Any) -> Timeline:
    return timeline_of(scores, Plan((agent_plan(**fields),)))


def test_every_pane_end_has_a_sample_of_what_the_window_says() -> None:
    text = text_of(minutes(score_at(0, "run-1"), close_at(4_000, "run-2", 0.25)))
    ends = [NOW_MS + n * PANE_MS + PANE_MS - 1 for n in range(3)]
    last = {ends[2]: 0.25}
    assert samples(text, "window_score_average", scorer="sunny") == dict.fromkeys(ends, 1)
    assert samples(text, "window_score_average", scorer="close") == last
    assert samples(text, "window_samples", scorer="close") == {**dict.fromkeys(ends, 0), ends[2]: 1}
    assert samples(text, "gate_passed", gate="sunny") == dict.fromkeys(ends, 1)
    assert samples(text, "threshold_passed", scorer="close") == {ends[2]: 0}
    passed = {ends[0]: 1, ends[1]: 1, ends[2]: 0}
    assert samples(text, "verdict_state", verdict="passed") == passed
    assert samples(text, "verdict_state", verdict="scored") == {e: 1 - v for e, v in passed.items()}
    assert samples(text, "verdict_state", verdict="failed") == dict.fromkeys(ends, 0)


def test_failures_and_errors_are_told_apart() -> None:
    text = text_of(minutes(score_at(0, "run-1", 0.0), score_at(0, "run-2", None)))
    assert list(samples(text, "window_gate_failures", gate="sunny").values()) == [2]
    assert list(samples(text, "window_errors", scorer="sunny").values()) == [1]
    assert list(samples(text, "gate_passed", gate="sunny").values()) == [0]


@given(st.permutations([score_at(n * 1_500, f"run-{n}", n % 2) for n in range(6)]))
def test_the_order_of_the_scores_changes_no_byte(scores: list[Any]) -> None:
    assert text_of(minutes(*scores)) == text_of(
        minutes(*sorted(scores, key=lambda score: score.run_id))
    )


def test_names_and_labels_are_those_of_the_live_worker_and_the_replay() -> None:
    known = {family.name: {*family.labels, "replay"} for family in FAMILIES}
    text = text_of(minutes(score_at(0, "run-1"), close_at(0, "run-1", 1.0)))
    for name, labels in series_of(text):
        assert {label for label, _ in labels} == known[name]


def test_a_long_pane_repeats_its_samples_so_that_prometheus_draws_a_line() -> None:
    day = WindowSpec("24h", 86_400_000)
    timeline = minutes(score_at(0, "run-1"), score_at(2 * day.pane_ms, "run-2"), windows=(day,))
    times = list(samples(text_of(timeline), "window_samples", scorer="sunny", window="24h"))
    (history,) = timeline.sweep()
    ends = [end for end, _ in by_pane_end(history)]
    assert set(ends) <= set(times)
    assert (times[0], times[-1]) == (ends[0], ends[-1])
    assert {after - before for before, after in pairwise(times)} == {240_000}


def test_an_empty_window_is_written_for_a_day_only() -> None:
    year_later = score_at(365 * 86_400_000, "run-2")
    timeline = minutes(score_at(0, "run-1"), year_later, windows=(WindowSpec("1h", 3_600_000),))
    times = list(samples(text_of(timeline), "verdict_state", verdict="no_data", window="1h"))
    assert times[-2:] == [
        NOW_MS + 3_600_000 + 86_400_000 - 1,
        year_later.run_timestamp_ms + 120_000 - 1,
    ]


def test_labels_are_escaped() -> None:
    odd = 'a"\\\n<script>'
    text = text_of(timeline_of([score_at(0, "r", agent_id=odd)], Plan((agent_plan(odd),))))
    assert samples(text, "window_samples", scorer="sunny", agent=odd) == {NOW_MS + 1_999: 1}


def test_a_timeline_without_scores_is_an_empty_text() -> None:
    assert text_of(minutes()) == "# EOF\n"

"""What is recorded shows, known labels start at 0, and what is gone has no series."""

import asyncio
from dataclasses import replace

import pytest

from live_scoring.core.pipeline import Outcome, Plan
from live_scoring.core.transition import Transition, WindowReport
from live_scoring.core.verdict import Gate, Verdict, VerdictState
from live_scoring.core.window import NANO, Tally
from tests.adapters.fed_metrics import (
    FakeBoard,
    fed_metrics,
    new_metrics,
    plan_of,
    report,
    samples,
    score,
    scorer,
    value,
)
from tests.builders import SOURCE, run_saying

RUN = run_saying("hello", agent_id="agent-1")
LATEST_MS = SOURCE.timestamp_ms


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("runs_consumed_total", {"topic": "agent-runs", "format": "mastra"}),
        ("dead_letters_total", {"stage": "decode", "reason": "not_json"}),
        ("runs_skipped_total", {"reason": "unknown_agent"}),
        ("clock_skew_total", {"topic": "agent-runs"}),
        ("runs_duplicate_total", {"topic": "agent-runs"}),
        ("scores_ignored_total", {"agent": "agent-1", "reason": "stale_scorer"}),
        (
            "scorer_outcomes_total",
            {"agent": "agent-1", "scorer": "close", "outcome": "over_budget"},
        ),
        ("scores_published_total", {"agent": "agent-1", "scorer": "polite"}),
        ("gate_runs_total", {"agent": "agent-1", "gate": "polite", "result": "fail"}),
        ("scorer_duration_seconds_count", {"scorer": "close"}),
        ("end_to_end_latency_seconds_count", {}),
        ("publish_failures_total", {"topic": "agent-scores"}),
        ("agents_overflow_total", {}),
    ],
)
def test_known_label_values_start_at_0(name: str, labels: dict[str, str]) -> None:
    assert value(new_metrics("agent-1"), name, **labels) == 0


def test_an_agent_matched_by_a_glob_shows_once_it_was_seen() -> None:
    metrics = new_metrics("agent-*")
    assert value(metrics, "scores_published_total", agent="agent-1", scorer="close") is None
    metrics.published([score("close", 1.0)])
    assert value(metrics, "scores_published_total", agent="agent-1", scorer="close") == 1
    assert value(metrics, "scores_published_total", agent="agent-1", scorer="polite") == 0
    metrics.forget("agent-1")
    assert value(metrics, "scores_published_total", agent="agent-1", scorer="close") is None


def test_a_reload_takes_away_agents_and_scorers_that_the_new_plan_lacks() -> None:
    metrics = fed_metrics()
    metrics.expect(plan_of("agent-1", scorers=(scorer("close"),)))
    shown = {label for _, labels in samples(metrics) for label in labels}
    assert ("scorer", "close") in shown
    assert ("scorer", "polite") not in shown
    metrics.expect(plan_of("agent-2"))
    shown = {label for _, labels in samples(metrics) for label in labels}
    assert ("agent", "agent-2") in shown
    assert ("agent", "agent-1") not in shown


def test_a_scored_run_counts_every_outcome_and_each_gate() -> None:
    metrics = new_metrics("agent-1")
    scores = (score("polite", 0.5), score("close", None))
    metrics.run_scored(RUN, SOURCE, Outcome(scores, is_skewed=True), latest_ms=LATEST_MS)
    metrics.run_scored(
        RUN, SOURCE, Outcome((score("polite", 1.0),), sampled_out=("close",)), latest_ms=LATEST_MS
    )
    metrics.run_scored(RUN, SOURCE, Outcome((score("polite", None),)), latest_ms=LATEST_MS)
    metrics.run_scored(
        RUN,
        SOURCE,
        Outcome((score("polite", None, outcome="not_applicable"),)),
        latest_ms=LATEST_MS,
    )

    def outcomes(name: str, outcome: str) -> float | None:
        labels = {"agent": "agent-1", "scorer": name, "outcome": outcome}
        return value(metrics, "scorer_outcomes_total", **labels)

    def gate(result: str) -> float | None:
        return value(metrics, "gate_runs_total", agent="agent-1", gate="polite", result=result)

    assert [outcomes("polite", o) for o in ("scored", "error", "not_applicable")] == [2, 1, 1]
    assert [outcomes("close", o) for o in ("error", "sampled_out")] == [1, 1]
    assert [gate(r) for r in ("pass", "fail", "error")] == [1, 1, 1]
    assert value(metrics, "clock_skew_total", topic="agent-runs") == 1


@pytest.mark.parametrize(("asked", "shown"), [(None, 1), (0.995, 0.995)])
def test_a_gate_shows_the_share_of_runs_that_it_asks_for(asked: float | None, shown: float) -> None:
    metrics, (agent,) = new_metrics(), plan_of("agent-1").agents
    metrics.expect(Plan((replace(agent, rules=(Gate("polite", pass_ratio=asked),)),)))
    assert value(metrics, "gate_pass_ratio", agent="agent-1", gate="polite") == shown


def test_the_newest_run_stays_when_an_older_one_comes() -> None:
    metrics = new_metrics("agent-1")
    for at_ms in (5_000, 7_000, 6_000):
        metrics.run_scored(
            RUN,
            SOURCE,
            Outcome((score("close", 1.0, run_timestamp_ms=at_ms),)),
            latest_ms=LATEST_MS,
        )
    assert value(metrics, "last_run_timestamp_seconds", agent="agent-1") == 7


def test_a_run_that_is_dated_ahead_is_not_the_newest_for_ever() -> None:
    metrics, in_2999_ms = new_metrics("agent-1"), 32_472_144_000_000
    for outcome in (
        Outcome((score("close", 1.0, run_timestamp_ms=in_2999_ms),)),
        Outcome(sampled_out=("polite", "close")),
    ):
        source = SOURCE._replace(timestamp_ms=in_2999_ms)
        metrics.run_scored(RUN, source, outcome, latest_ms=5_000)
        assert value(metrics, "last_run_timestamp_seconds", agent="agent-1") == 5
    metrics.run_scored(RUN, SOURCE, Outcome(sampled_out=("close",)), latest_ms=LATEST_MS)
    seen = value(metrics, "last_run_timestamp_seconds", agent="agent-1")
    assert seen == SOURCE.timestamp_ms / 1000


def test_a_run_that_no_scorer_drew_is_placed_all_the_same() -> None:
    metrics = new_metrics("agent-1")
    metrics.run_scored(RUN, SOURCE, Outcome(sampled_out=("polite", "close")), latest_ms=LATEST_MS)
    seen = value(metrics, "last_run_timestamp_seconds", agent="agent-1")
    assert seen == SOURCE.timestamp_ms / 1000


def test_a_skipped_run_makes_no_agent() -> None:
    metrics = new_metrics("agent-*")
    metrics.run_scored(RUN, SOURCE, Outcome(skipped="unknown_agent"), latest_ms=LATEST_MS)
    assert value(metrics, "runs_skipped_total", reason="unknown_agent") == 1
    assert not any(("agent", "agent-1") in labels for _, labels in samples(metrics))


def test_score_values_are_off_by_default() -> None:
    metrics = new_metrics("agent-1")
    metrics.run_scored(RUN, SOURCE, Outcome((score("close", 0.5),)), latest_ms=LATEST_MS)
    assert not any(name.startswith("score_value") for name, _ in samples(metrics))


def test_a_histogram_counts_a_value_in_each_bucket_that_reaches_it() -> None:
    metrics = new_metrics("agent-1", has_score_values=True)
    for number in (0.0, 0.5, 1.0):
        metrics.run_scored(RUN, SOURCE, Outcome((score("close", number),)), latest_ms=LATEST_MS)

    def part(suffix: str, **le: str) -> float | None:
        return value(metrics, f"score_value_{suffix}", agent="agent-1", scorer="close", **le)

    assert [part("bucket", le=le) for le in ("0.0", "0.4", "0.5", "1.0", "+Inf")] == [1, 1, 2, 3, 3]
    assert (part("count"), part("sum")) == (3, 1.5)


def test_a_latency_below_0_counts_as_0() -> None:
    metrics = new_metrics()
    metrics.latency(-3.0, None)
    assert value(metrics, "end_to_end_latency_seconds_bucket", le="0.01") == 1
    assert value(metrics, "end_to_end_latency_seconds_sum") == 0


@pytest.mark.parametrize("state", ["passed", "scored", "failed", "no_data"])
def test_all_four_verdicts_show_and_one_of_them_is_1(state: VerdictState) -> None:
    metrics, where = new_metrics("agent-1"), {"agent": "agent-1", "group": "", "window": "5m"}
    metrics.watch(FakeBoard([WindowReport("agent-1", "", "5m", Verdict(state, ()), {})]))
    metrics.transition(Transition("agent-1", "", "5m", Verdict(state, ()), "no_data", 1, 0, 1, ""))
    for name in ("verdict_state", "verdict_transitions_total"):
        shown = {
            v: value(metrics, name, **where, verdict=v)
            for v in ("passed", "scored", "failed", "no_data")
        }
        assert shown == dict.fromkeys(shown, 0) | {state: 1}


def test_a_rule_with_too_few_samples_has_bounds_but_no_result() -> None:
    metrics = new_metrics("agent-1")
    full = Tally(scored=2, full=2, total=2 * NANO)
    metrics.watch(FakeBoard([report({"polite": full, "close": Tally(scored=1)}, min_samples=2)]))
    where = {"agent": "agent-1", "group": "", "window": "5m"}
    assert value(metrics, "gate_passed", **where, gate="polite") == 1
    assert value(metrics, "threshold_passed", **where, scorer="close") is None
    assert value(metrics, "threshold_bound", **where, scorer="close", bound="min") == 0.3
    assert value(metrics, "window_samples", **where, scorer="close") == 1


def test_an_empty_window_has_samples_0_and_no_average() -> None:
    metrics, where = new_metrics("agent-1"), {"agent": "agent-1", "group": "", "window": "5m"}
    metrics.watch(FakeBoard([report({})]))
    assert value(metrics, "window_samples", **where, scorer="close") == 0
    assert value(metrics, "window_score_average", **where, scorer="close") is None
    assert value(metrics, "gate_passed", **where, gate="polite") is None
    assert value(metrics, "verdict_state", **where, verdict="no_data") == 1


def test_a_window_that_is_being_rebuilt_has_a_verdict_and_no_counts() -> None:
    metrics = new_metrics("agent-1")
    metrics.watch(FakeBoard([replace(report({"polite": Tally(scored=1, full=1)}), tallies=None)]))
    page = metrics.render()[0].decode()
    assert 'verdict_state{agent="agent-1"' in page
    assert "window_samples{" not in page


def test_a_board_that_owns_nothing_shows_no_window_and_no_verdict() -> None:
    metrics = fed_metrics()
    metrics.watch(FakeBoard())
    shown = {name for name, _ in samples(metrics)}
    assert not {name for name in shown if name.startswith(("window_", "verdict_", "gate_passed"))}
    assert "rebuilding" not in shown


def test_a_revoked_partition_takes_its_lag_along() -> None:
    metrics = fed_metrics()
    metrics.lag("agent-runs", 1, 3)
    metrics.forget_partition("agent-runs", 0)
    assert value(metrics, "consumer_lag_records", topic="agent-runs", partition="0") is None
    assert value(metrics, "consumer_lag_seconds", topic="agent-runs") == 1.5
    metrics.forget_partition("agent-runs", 1)
    assert value(metrics, "consumer_lag_seconds", topic="agent-runs") is None


def test_a_refused_reload_keeps_what_is_known_of_the_old_configuration() -> None:
    metrics = fed_metrics()
    metrics.reload(ok=False, config_hash="bad", at_seconds=1_800_000_000.0)
    assert value(metrics, "config_last_reload_successful") == 0
    success = value(metrics, "config_last_reload_success_timestamp_seconds")
    assert success == 1_793_534_000.5
    assert value(metrics, "config_info", hash="c0ffee") == 1
    assert value(metrics, "config_info", hash="bad") is None


async def pages_and_turns(agents: int) -> tuple[bytes, bytes, int]:
    """The page at once, the page in turns, and the turns that another task had meanwhile."""
    names = [f"agent-{number}" for number in range(agents)]
    metrics = new_metrics(*names)
    metrics.watch(FakeBoard(judged=dict.fromkeys(names, 1.5)))
    turns, ticks = 0, iter(range(10**6))

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    in_turns, _ = await metrics.render_async(clock=lambda: next(ticks) / 1000)
    task.cancel()
    return metrics.render()[0], b"".join(in_turns), turns


def test_a_long_page_gives_others_their_turns_and_is_the_same() -> None:
    at_once, in_turns, turns = asyncio.run(pages_and_turns(agents=100))
    own = [[x for x in p.splitlines() if b"live_scoring" in x] for p in (at_once, in_turns)]
    assert own[0] == own[1]
    assert turns >= 2 * 100 // 7


@pytest.mark.parametrize("version", ["x", "1.x", "\udcff"])
def test_a_version_that_is_no_number_gets_the_text_format(version: str) -> None:
    accept = f"application/openmetrics-text; version={version}"
    _, content_type = new_metrics().render(accept)
    assert content_type.startswith("text/plain")


def test_a_large_page_is_sent_in_chunks_that_are_worth_it() -> None:
    metrics = new_metrics(*(f"agent-{number}" for number in range(1_000)))
    chunks = list(asyncio.run(metrics.render_async())[0])
    assert len(chunks) > 2
    assert all(2**18 <= len(chunk) < 2**20 for chunk in chunks[:-1])

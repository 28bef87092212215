"""From a run to its scores: who is asked, who is not, and where the run is placed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from live_scoring.core.batch import process
from live_scoring.core.disclosure import DISCREET, Disclosure
from live_scoring.core.pipeline import SKEW_LIMIT_MS, AgentPlan, Outcome, Plan, place
from live_scoring.core.run import AgentRun
from live_scoring.core.sampling import ALWAYS, Sampling
from live_scoring.core.score import CheckResult, NotApplicable
from live_scoring.core.scoring import CallLimits, RunFilter, Scorer
from live_scoring.core.window import WindowSpec
from tests.builders import SOURCE, call, run_calling, run_saying

NOW = SOURCE.timestamp_ms + 1_000
WINDOWS = (WindowSpec("5m", 300_000),)
Asked = Callable[[AgentRun], CheckResult | NotApplicable]


def always(score: float) -> Asked:
    return lambda _: CheckResult.share(score, "as told")


def passing(_: AgentRun) -> CheckResult:
    return CheckResult.hit()


def scorer(
    name: str,
    asked: Asked = passing,
    sampling: Sampling = ALWAYS,
    run_filter: RunFilter | None = None,
) -> Scorer:
    return Scorer(name, "scorer", "check-told", "f1", asked, sampling, run_filter)


def agent_plan(*scorers: Scorer, pattern: str = "agent-1", split_by: tuple[str, ...] = ()) -> Plan:
    return Plan((AgentPlan(pattern, WINDOWS, scorers, (), split_by),))


def outcome_of(plan: Plan, run: AgentRun | None = None) -> Outcome:
    return process(run or run_saying("hello"), SOURCE, plan, NOW)


def moment(offset_ms: int) -> datetime:
    """So long after the record's timestamp."""
    return datetime.fromtimestamp(SOURCE.timestamp_ms / 1000, UTC) + timedelta(
        milliseconds=offset_ms
    )


def test_a_score_carries_its_run_scorer_and_source() -> None:
    run = run_saying("hello", trace_id="t", conversation_id="c", timestamp=moment(-5))
    (score,) = outcome_of(agent_plan(scorer("s", always(0.5), Sampling(1.0))), run).scores
    assert (score.run_id, score.agent_id, score.scorer, score.kind) == (
        "run-1", "agent-1", "s", "scorer",
    )  # fmt: skip
    assert (score.check, score.fingerprint, score.sampling_rate) == ("check-told", "f1", 1.0)
    assert (score.outcome, score.score, score.reason) == ("scored", 0.5, "as told")
    assert (score.run_timestamp_ms, score.scored_at_ms) == (SOURCE.timestamp_ms - 5, NOW)
    assert (score.trace_id, score.conversation_id, score.source) == ("t", "c", SOURCE)


def test_true_is_the_score_one() -> None:
    (score,) = outcome_of(agent_plan(scorer("s", always(True)))).scores
    assert repr(score.score) == "1.0"


def test_a_scorer_that_raises_costs_its_own_score_only() -> None:
    def raising(_: AgentRun) -> CheckResult:
        raise KeyError("gone")

    first, second = outcome_of(agent_plan(scorer("bad", raising), scorer("good"))).scores
    assert (first.outcome, first.score, first.error_type) == ("error", None, "KeyError")
    assert first.error_message == ""  # it may quote the run
    assert (second.outcome, second.error_type) == ("scored", None)


def test_not_applicable_is_a_record_without_a_score() -> None:
    (score,) = outcome_of(agent_plan(scorer("s", lambda _: NotApplicable("no cost")))).scores
    assert (score.outcome, score.score, score.reason) == ("not_applicable", None, "no cost")


@pytest.mark.parametrize(
    ("disclosure", "text", "reason"),
    [
        (DISCREET, None, "said 5 letters"),
        (Disclosure(has_quotes=True, has_text=True), "hello", "said 'hello'"),
    ],
)
def test_a_score_tells_of_the_run_what_the_plan_lets_it(
    disclosure: Disclosure, text: str | None, reason: str
) -> None:
    def quoting(run: AgentRun) -> CheckResult:
        return CheckResult.miss(f"said {run.spaced_text!r}", "said 5 letters")

    plan = replace(agent_plan(scorer("s", quoting)), disclosure=disclosure)
    (score,) = outcome_of(plan).scores
    assert (score.text, score.reason) == (text, reason)


def test_an_agent_no_plan_names_is_skipped() -> None:
    plan = agent_plan(scorer("s"), pattern="other")
    assert outcome_of(plan) == Outcome(skipped="unknown_agent")


def test_a_run_that_no_filter_admits_is_skipped() -> None:
    prod = RunFilter(tags={"environment": ("prod",)})
    plan = agent_plan(scorer("s", run_filter=prod))
    assert outcome_of(plan) == Outcome(skipped="filtered")
    assert len(outcome_of(plan, run_saying("x", tags={"environment": "prod"})).scores) == 1


def test_a_scorer_that_does_not_draw_the_run_is_named_sampled_out() -> None:
    plan = agent_plan(scorer("never", sampling=Sampling(0.0)), scorer("always"))
    outcome = outcome_of(plan)
    assert outcome.sampled_out == ("never",)
    assert [score.scorer for score in outcome.scores] == ["always"]


def test_a_scorer_that_calls_out_is_left_to_the_shell() -> None:
    def never(_: AgentRun) -> CheckResult:
        raise AssertionError("asked")

    outside = replace(scorer("outside", never), limits=CallLimits())
    unseen = replace(scorer("unseen", never, Sampling(0.0)), limits=CallLimits())
    run = run_saying("hello", tags={"environment": "prod"})
    plan = agent_plan(outside, unseen, scorer("inline"), split_by=("environment",))
    outcome = outcome_of(plan, run)
    assert [score.scorer for score in outcome.scores] == ["inline"]
    assert outcome.sampled_out == ("unseen",)
    (call_out,) = outcome.outside
    assert (call_out.scorer, call_out.placed.run) == (outside, run)


def test_a_score_from_outside_differs_from_one_on_the_spot_in_nothing_but_its_moment() -> None:
    inline = scorer("s", always(0.5))
    (score,) = outcome_of(agent_plan(inline)).scores
    (call_out,) = outcome_of(agent_plan(replace(inline, limits=CallLimits()))).outside
    later = call_out.score(CheckResult.share(0.5, "as told"), NOW + 9)
    assert later == structs.replace(score, scored_at_ms=NOW + 9)


def test_a_filtered_scorer_is_not_sampled_out() -> None:
    prod = RunFilter(tags={"environment": ("prod",)})
    plan = agent_plan(scorer("prod", sampling=Sampling(0.0), run_filter=prod), scorer("always"))
    assert outcome_of(plan).sampled_out == ()


def test_a_run_that_all_scorers_sample_out_is_not_skipped() -> None:
    outcome = outcome_of(agent_plan(scorer("never", sampling=Sampling(0.0))))
    assert outcome == Outcome(sampled_out=("never",))


def test_a_run_with_a_failed_tool_is_scored_whatever_the_rate_and_says_that_all_such_are() -> None:
    sampling = Sampling(0.0, always_on_error=True)
    run = run_calling(call("search", is_error=True))
    (score,) = outcome_of(agent_plan(scorer("s", sampling=sampling)), run).scores
    assert score.sampling_rate == 1.0


@pytest.mark.parametrize(
    ("tags", "group"),
    [
        ({"environment": "prod", "version": 42}, "prod/42"),
        ({"version": "v1"}, "-/v1"),
        ({}, "-/-"),
    ],
)
def test_the_group_is_the_values_of_split_by(tags: dict[str, object], group: str) -> None:
    plan = agent_plan(scorer("s"), split_by=("environment", "version"))
    (score,) = outcome_of(plan, run_saying("x", tags=tags)).scores
    assert score.group == group


def test_no_two_combinations_of_tags_share_a_group() -> None:
    agent = agent_plan(scorer("s"), split_by=("a", "b")).find("agent-1")
    tags = [{"a": "x/y", "b": "z"}, {"a": "x", "b": "y/z"}, {"a": "x%2Fy", "b": "z"}]
    assert agent is not None
    groups = {agent.group_of(run_saying("x", tags=each)) for each in tags}
    assert groups == {"x%2Fy/z", "x/y%2Fz", "x%252Fy/z"}


def test_a_tag_of_megabytes_makes_a_short_group_of_its_own() -> None:
    agent = AgentPlan("agent-1", (), (), (), split_by=("a",))
    tags = ("x" * 100, "x" * 101, "x" * 2_000_000, "x" * 2_000_000 + "\ud83d")
    groups = [agent.group_of(run_saying("x", tags={"a": tag})) for tag in tags]
    assert groups[0] == "x" * 100
    assert {len(group) for group in groups} == {100}
    assert len(set(groups)) == 4


def test_groups_that_no_label_can_tell_apart_are_one() -> None:
    agent = AgentPlan("agent-1", (), (), (), split_by=("a",))
    tags = ("x\0", "x\ud83d", "x\ufffd")
    assert {agent.group_of(run_saying("x", tags={"a": tag})) for tag in tags} == {"x\ufffd"}


def test_without_split_by_the_group_is_empty() -> None:
    (score,) = outcome_of(agent_plan(scorer("s")), run_saying("x", tags={"a": "b"})).scores
    assert score.group == ""


def test_a_run_without_an_end_is_placed_by_its_record() -> None:
    assert place(run_saying("x"), SOURCE) == (SOURCE.timestamp_ms, False)


def test_a_run_is_believed_up_to_the_limit_of_skew() -> None:
    at_limit = run_saying("x", timestamp=moment(SKEW_LIMIT_MS))
    beyond = run_saying("x", timestamp=moment(SKEW_LIMIT_MS + 1))
    assert place(at_limit, SOURCE) == (SOURCE.timestamp_ms + SKEW_LIMIT_MS, False)
    assert place(beyond, SOURCE) == (SOURCE.timestamp_ms, True)
    assert outcome_of(agent_plan(scorer("s")), beyond).is_skewed


def test_the_past_is_always_believed() -> None:
    old = run_saying("x", timestamp=datetime(1969, 12, 31, 23, 59, 59, 999_500, UTC))
    assert place(old, SOURCE) == (-1, False)


def plan_of(*patterns: str) -> Plan:
    return Plan(tuple(AgentPlan(p, WINDOWS, (scorer("s"),), ()) for p in patterns))


@pytest.mark.parametrize(
    ("agent_id", "pattern"),
    [
        ("weather-eu", "weather-eu"),
        ("weather-us", "weather-*"),
        ("wide", "w*"),
        ("other", "*"),
        ("Weather-us", "*"),
        ("a[b]", "a[b]"),
    ],
)
def test_the_most_exact_plan_wins_in_any_order(agent_id: str, pattern: str) -> None:
    patterns = ("*", "w*", "weather-*", "weather-eu", "a[b]", "a*")
    for plan in (plan_of(*patterns), plan_of(*reversed(patterns))):
        found = plan.find(agent_id)
        assert found is not None
        assert found.pattern == pattern
        assert plan.find(agent_id) is found


def test_a_plan_with_other_agents_forgets_what_the_old_one_found() -> None:
    plan = plan_of("agent-1")
    assert plan.find("agent-2") is None
    assert replace(plan, agents=plan_of("agent-2").agents).find("agent-2") is not None


@given(st.text(min_size=1), st.floats(0, 1), st.floats(0, 1))
def test_a_run_scored_at_one_rate_is_scored_at_every_higher_one(
    run_id: str, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    plan = agent_plan(
        scorer("low", sampling=Sampling(low)), scorer("high", sampling=Sampling(high))
    )
    outcome = outcome_of(plan, run_saying("x", run_id=run_id))
    assert outcome.sampled_out in ((), ("low",), ("low", "high"))

"""Rules and verdicts, each sentence of the specification."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.verdict import Gate, Rule, RuleResult, Threshold, Verdict, judge
from live_scoring.core.window import Tally
from tests.offline_model import Expected, expect_status, expect_verdict


def tally(*scores: float, errors: int = 0) -> Tally:
    """What a window counted of these scores and so many errors."""
    counted = Tally(errors=errors)
    for score in scores:
        counted.count(score)
    return counted


def judged(rule: Rule, counted: Tally, min_samples: int = 1) -> RuleResult:
    """What the rule says of these scores."""
    verdict = judge({rule.name: counted}, [rule], min_samples)
    assert verdict is not None
    return verdict.results[0]


def verdict_of(tallies: dict[str, Tally], *rules: Rule, min_samples: int = 1) -> Verdict:
    verdict = judge(tallies, rules, min_samples)
    assert verdict is not None
    return verdict


def test_a_gate_passes_when_every_run_scored_one() -> None:
    result = judged(Gate("g"), tally(1.0, 1.0))
    assert (result.status, result.samples, result.failures) == ("passed", 2, 0)


def test_a_score_just_below_one_fails_a_gate() -> None:
    result = judged(Gate("g"), tally(1.0, 0.9999999999999999))
    assert (result.status, result.failures, result.cause) == ("failed", 1, "score")


def test_an_error_fails_a_gate_and_is_named_its_cause() -> None:
    result = judged(Gate("g"), tally(1.0, errors=1))
    assert (result.status, result.samples, result.failures) == ("failed", 2, 1)
    assert (result.cause, result.errors, result.average) == ("error", 1, 1.0)


def test_a_low_score_beside_an_error_is_the_cause() -> None:
    assert judged(Gate("g"), tally(0.0, errors=1)).cause == "score"


def test_a_gate_can_leave_errors_out() -> None:
    gate = Gate("g", on_error="ignore")
    assert judged(gate, tally(1.0, errors=5)).status == "passed"
    assert judged(gate, tally(errors=5)).status == "insufficient"


def test_a_gate_that_saw_a_failure_has_failed_with_any_number() -> None:
    assert judged(Gate("g"), tally(0.0), min_samples=20).status == "failed"
    assert judged(Gate("g"), tally(errors=1), min_samples=20).status == "failed"
    assert judged(Gate("g"), tally(1.0), min_samples=20).status == "insufficient"


@pytest.mark.parametrize(
    ("failures", "status"), [(0, "passed"), (5, "passed"), (6, "failed"), (7, "failed")]
)
def test_a_ratio_holds_at_exactly_its_share(failures: int, status: str) -> None:
    gate = Gate("g", pass_ratio=0.995)
    counted = tally(*[1.0] * (1_000 - failures), *[0.0] * failures)
    assert judged(gate, counted).status == status


@pytest.mark.parametrize(("failures", "status"), [(2, "passed"), (3, "failed")])
def test_a_ratio_waits_for_its_least_number_of_failures(failures: int, status: str) -> None:
    gate = Gate("g", pass_ratio=0.995, min_failures=3)
    assert judged(gate, tally(1.0, *[0.0] * failures)).status == status


def test_a_ratio_with_too_few_samples_is_insufficient_even_after_failures() -> None:
    gate = Gate("g", pass_ratio=0.9)
    result = judged(gate, tally(0.0, 0.0), min_samples=3)
    assert (result.status, result.failures, result.cause) == ("insufficient", 2, None)


def test_a_ratio_counts_errors_as_failures_unless_told_to_ignore_them() -> None:
    counted = tally(1.0, 1.0, errors=1)
    assert judged(Gate("g", pass_ratio=0.9), counted).cause == "error"
    assert judged(Gate("g", pass_ratio=0.9, on_error="ignore"), counted).status == "passed"


def test_bounds_are_inclusive() -> None:
    assert judged(Threshold("s", min=0.5, max=0.5), tally(0.5)).status == "passed"
    assert judged(Threshold("s", min=0.5), tally(0.499999999)).status == "failed"
    assert judged(Threshold("s", max=0.5), tally(0.500000001)).status == "failed"


def test_thrice_0_7_holds_a_minimum_of_0_7() -> None:
    assert judged(Threshold("s", min=0.7), tally(0.7, 0.7, 0.7)).status == "passed"


def test_bounds_of_zero_are_bounds() -> None:
    assert judged(Threshold("s", max=0.0), tally(0.1)).status == "failed"
    assert judged(Threshold("s", max=0.0), tally(0.0)).status == "passed"
    assert judged(Threshold("s", min=0.0), tally(0.0)).status == "passed"


def test_a_threshold_leaves_errors_out_unless_told_to_mind_them() -> None:
    counted = tally(0.9, errors=1)
    assert judged(Threshold("s", min=0.5), counted).status == "passed"
    minding = judged(Threshold("s", min=0.5, on_error="fail"), counted)
    assert (minding.status, minding.cause, minding.samples) == ("failed", "error", 2)


def test_a_rule_of_its_own_min_samples_does_not_ask_the_window() -> None:
    assert judged(Threshold("s", min=0.5, min_samples=2), tally(1, 1), 20).status == "passed"
    assert judged(Threshold("s", min=0.5, min_samples=3), tally(1, 1)).status == "insufficient"
    assert judged(Threshold("s", min=0.5, min_samples=0), tally()).status == "insufficient"


def test_a_failed_gate_outweighs_a_missed_threshold() -> None:
    verdict = verdict_of(
        {"g": tally(0.0), "s": tally(0.0)}, Threshold("s", min=0.5), Gate("g", critical=True)
    )
    assert verdict.state == "failed"
    assert [result.rule.name for result in verdict.failing] == ["s", "g"]


def test_a_missed_threshold_is_scored() -> None:
    tallies = {"g": tally(1.0), "s": tally(0.0)}
    assert verdict_of(tallies, Gate("g"), Threshold("s", min=0.5)).state == "scored"


def test_an_insufficient_rule_does_not_blank_the_others() -> None:
    tallies = {"g": tally(1.0, 1.0), "s": tally(0.0)}
    verdict = verdict_of(tallies, Gate("g"), Threshold("s", min=0.5), min_samples=2)
    assert verdict.state == "passed"
    assert [result.status for result in verdict.results] == ["passed", "insufficient"]


def test_nothing_sufficient_is_no_data() -> None:
    assert verdict_of({}, Gate("g"), Threshold("s", min=0.5)).state == "no_data"


def test_without_rules_there_is_no_verdict() -> None:
    assert judge({"s": tally(1.0)}, []) is None


BOUNDS = st.one_of(st.none(), st.sampled_from([0.0, 0.5, 0.7, 1.0]), st.floats(0, 1))
ON_ERROR = st.sampled_from(["fail", "ignore"])
MIN_SAMPLES = st.one_of(st.none(), st.integers(0, 6))
RULES = st.one_of(
    st.builds(
        Gate,
        st.sampled_from("ab"),
        pass_ratio=BOUNDS,
        min_failures=st.integers(1, 4),
        on_error=ON_ERROR,
        min_samples=MIN_SAMPLES,
    ),
    st.builds(
        Threshold,
        st.sampled_from("ab"),
        min=BOUNDS,
        max=BOUNDS,
        on_error=ON_ERROR,
        min_samples=MIN_SAMPLES,
    ),
)
SEEN = st.builds(
    lambda scores, errors: Expected(tuple(scores), errors),
    st.lists(st.sampled_from([0.0, 0.5, 0.7, 1.0]) | st.floats(0, 1), max_size=8),
    st.integers(0, 3),
)


@given(st.fixed_dictionaries({"a": SEEN, "b": SEEN}), st.lists(RULES, max_size=4), MIN_SAMPLES)
def test_a_verdict_equals_the_plain_computation(
    seen: dict[str, Expected], rules: list[Rule], min_samples: int | None
) -> None:
    least = min_samples or 1
    tallies = {name: tally(*e.scores, errors=e.errors) for name, e in seen.items()}
    verdict = judge(tallies, rules, least)
    if verdict is None:
        assert not rules
        return
    assert verdict.state == expect_verdict(seen, rules, least)
    assert [result.status for result in verdict.results] == [
        expect_status(rule, seen[rule.name], least) for rule in rules
    ]
    assert all((result.cause is None) == (result.status != "failed") for result in verdict.results)

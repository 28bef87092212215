from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.sampling import ALWAYS, Sampling, draw, is_sampled
from tests.builders import call, run_calling, run_saying

KEYS = st.text(min_size=1)
RATES = st.floats(0, 1)


@given(KEYS, RATES, RATES, st.booleans())
def test_a_higher_rate_keeps_every_run_of_a_lower_one(
    key: str, one: float, other: float, independent: bool
) -> None:
    run = run_saying("hello", run_id=key)
    low, high = (Sampling(rate, independent) for rate in sorted((one, other)))
    assert is_sampled(low, run, "s") <= is_sampled(high, run, "s")


@given(st.text(st.characters(exclude_categories=())))
def test_every_key_draws_a_number_below_one(key: str) -> None:
    assert 0 <= draw(key) < 1


@given(KEYS)
def test_a_rate_of_one_sees_every_run_and_of_zero_none(key: str) -> None:
    run = run_saying("hello", run_id=key)
    assert is_sampled(ALWAYS, run, "s")
    assert not is_sampled(Sampling(0), run, "s")


@given(KEYS, KEYS, RATES)
def test_runs_of_one_trace_are_drawn_together(one: str, other: str, rate: float) -> None:
    runs = (run_saying("hello", run_id=key, trace_id="trace") for key in (one, other))
    assert len({is_sampled(Sampling(rate), run, "s") for run in runs}) == 1


@given(KEYS, RATES)
def test_two_scorers_of_one_rate_see_the_same_runs(key: str, rate: float) -> None:
    run = run_saying("hello", run_id=key)
    assert is_sampled(Sampling(rate), run, "a") == is_sampled(Sampling(rate), run, "b")


def test_independent_scorers_see_different_runs_in_the_same_share() -> None:
    half = Sampling(0.5, independent=True)
    runs = [run_saying("hello", run_id=f"run-{n}") for n in range(1_000)]
    seen = {name: {r.run_id for r in runs if is_sampled(half, r, name)} for name in ("a", "b")}
    assert all(400 < len(ids) < 600 for ids in seen.values())
    assert 200 < len(seen["a"] & seen["b"]) < 300


def test_the_share_that_is_seen_is_the_rate() -> None:
    runs = [run_saying("hello", run_id=f"run-{n}") for n in range(10_000)]
    assert 900 < sum(is_sampled(Sampling(0.1), run, "s") for run in runs) < 1_100


def test_a_failed_run_is_always_seen_where_that_is_asked() -> None:
    never = Sampling(0, always_on_error=True)
    assert is_sampled(never, run_calling(call("pay", is_error=True)), "s")
    assert is_sampled(never, run_saying("hello", error="crashed"), "s")
    assert not is_sampled(never, run_calling("pay"), "s")


def test_a_lone_surrogate_draws_as_the_replacement_character() -> None:
    assert draw("run-\ud83d") == draw("run-\ufffd")

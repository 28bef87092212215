"""The ledger: what was counted is known however its panes are kept."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.ledger import CHUNK, Ledger, packed, run_key


def test_a_bit_of_a_run_is_new_once_in_a_pane() -> None:
    ledger = Ledger()
    assert ledger.add(7, 1, 0b01)
    assert not ledger.add(7, 1, 0b01)
    assert ledger.add(7, 1, 0b10)
    assert ledger.add(8, 1, 0b01)


def test_a_forgotten_pane_counts_anew() -> None:
    ledger = Ledger()
    ledger.add(7, 1, 1)
    ledger.keep(8, open_from=9)
    assert ledger.add(7, 1, 1)


def test_a_pane_of_many_runs_is_packed_a_share_at_a_time_and_forgets_none() -> None:
    ledger, runs = Ledger(), [run_key(str(n)) for n in range(2 * CHUNK + 10)]
    assert all(ledger.add(7, run, 1) for run in runs)
    for _ in range(4):
        ledger.keep(0, open_from=8)
        assert not any(ledger.add(7, run, 1) for run in runs)
    assert all(ledger.add(7, run, 2) for run in runs)
    ledger.keep(0, open_from=9)
    assert not any(ledger.add(7, run, bit) for run in runs for bit in (1, 2))


def test_packing_everything_at_once_forgets_nothing() -> None:
    ledger, runs = Ledger(), [run_key(str(n)) for n in range(2 * CHUNK + 10)]
    assert all(ledger.add(run % 3, run, 1) for run in runs)
    ledger.pack()
    assert all(ledger.add(run % 3, run, 2) for run in runs)
    ledger.pack()
    assert not any(ledger.add(run % 3, run, bit) for run in runs for bit in (1, 2))


@pytest.mark.parametrize("run_id", ["", "run-1", "\ud83d", "😀" * 1_000])
def test_any_run_id_has_a_key_of_64_bits(run_id: str) -> None:
    assert 0 <= run_key(run_id) < 2**64


def test_a_run_has_the_key_that_written_panes_know_it_by() -> None:
    assert run_key("run-1") == 2_790_136_970_278_974_343


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(
            st.integers(0, 3), st.sampled_from([0, 1, 2, 2**64 - 1]), st.sampled_from([1, 2, 2**63])
        ),
        st.integers(0, 4),
    ),
    max_size=60,
)


@given(OPERATIONS)
def test_packing_panes_in_any_order_forgets_nothing(
    operations: list[tuple[int, int, int] | int],
) -> None:
    ledger, counted = Ledger(), set()
    for operation in operations:
        if isinstance(operation, int):
            ledger.keep(0, open_from=operation)
        else:
            assert ledger.add(*operation) == (operation not in counted)
            counted.add(operation)


KEYS = (0, 1, 2, 2**64 - 1)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(KEYS), st.sampled_from([1, 2])), unique=True
    ),
    st.integers(0, 4),
    st.integers(1, 4),
)
def test_what_was_noted_elsewhere_is_known(
    noted: list[tuple[int, int, int]], open_from: int, later: int
) -> None:
    ledger = Ledger()
    for pane, key, bit in noted:
        ledger.include(pane, packed([(key, bit)]), open_from=open_from)
    ledger.keep(0, open_from=open_from + later)
    for pane in range(4):
        for key in KEYS:
            for bit in (1, 2):
                assert ledger.add(pane, key, bit) == ((pane, key, bit) not in noted)


@pytest.mark.parametrize("runs", [10, 1_000])
def test_runs_of_a_closed_pane_take_some_16_bytes_each(runs: int) -> None:
    ledger, parts = Ledger(), 40_000 // runs
    for part in range(parts):
        keys = sorted(run_key(f"{part}-{n}") for n in range(runs))
        ledger.include(7, packed((key, 1) for key in keys), open_from=8)
    assert not ledger.add(7, run_key("0-0"), 1)
    chunks = ledger.of_pane(7)._chunks  # noqa: SLF001 -- their memory is what is asked for
    sizes = [sys.getsizeof(part) for chunk in chunks for part in (chunk, *chunk)]
    assert sum(sizes) < 16.6 * runs * parts

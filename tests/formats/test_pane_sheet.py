"""Sheets of panes: what is written is read back, and nothing that comes in raises."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.pane import AgentPanes, Counts, Pane, Sheet, Stretch
from live_scoring.core.score import Failure
from live_scoring.core.window import NANO, Tally
from live_scoring.formats.pane_sheet import decode_sheet, encode_sheet

TEXT = st.text(max_size=5)
NUMBER = st.integers(0, 2**40)
KEY = st.integers(0, 2**64 - 1)
TALLY = st.builds(Tally, NUMBER, NUMBER, st.integers(0, 2**53), NUMBER)
MOMENT = st.integers(0, 2_000_000_000_000)


def pane_of(runs: dict[int, int], counts: Counts, at: int = 7, last_ms: int = 0) -> Pane:
    ordered = sorted(runs.items())
    packed = array("Q", [k for k, _ in ordered]), array("Q", [m for _, m in ordered])
    return Pane(at, last_ms, packed, counts)


@st.composite
def agents(draw: st.DrawFn) -> AgentPanes:
    windows = draw(st.lists(st.integers(1, 10**9), min_size=1, max_size=3))
    scorers = draw(st.lists(st.tuples(TEXT, TEXT), max_size=3, unique_by=lambda s: s[0]))
    tallies = st.dictionaries(st.sampled_from([name for name, _ in scorers] or [""]), TALLY)
    counts = st.dictionaries(NUMBER, tallies if scorers else st.just({}), max_size=2)
    pane = st.builds(
        pane_of,
        st.dictionaries(KEY, KEY, max_size=4),
        st.tuples(*(counts for _ in windows)),
        NUMBER,
        MOMENT,
    )
    panes = tuple(draw(st.lists(pane, max_size=2)))
    return AgentPanes(draw(TEXT), draw(TEXT), tuple(windows), tuple(scorers), panes)


STRETCHES = st.builds(
    lambda first, more, *rest: Stretch(first, first + more, *rest),
    NUMBER,
    st.integers(1, 10_000),
    MOMENT,
    MOMENT,
    TEXT,
    st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=2).map(tuple),
)
SHEETS = st.builds(
    Sheet, STRETCHES, st.integers(0, 9), st.booleans(), st.lists(agents(), max_size=3).map(tuple)
)


@given(SHEETS)
def test_a_sheet_that_was_written_is_read_back(sheet: Sheet) -> None:
    assert decode_sheet(encode_sheet(sheet)) == sheet


SMALL = Sheet(
    Stretch(0, 5, 0, 1, "w", ()),
    0,
    is_last=True,
    agents=(
        AgentPanes(
            "agent", "", (60_000,), (("a", "1"),), (pane_of({1: 1}, ({9: {"a": Tally(1)}},)),)
        ),
    ),
)


def test_counts_that_have_left_their_window_are_left_out_when_asked() -> None:
    pane_ms = 2_000
    for now_ms, is_kept in ((9 * pane_ms + 29 * pane_ms, True), (9 * pane_ms + 60_000, False)):
        read = decode_sheet(encode_sheet(SMALL), now_ms)
        assert isinstance(read, Sheet)
        assert bool(read.agents[0].panes[0].counts[0]) == is_kept


@pytest.mark.parametrize(
    ("written", "instead", "detail"),
    [
        (b'"next_offset":5', b'"next_offset":0', "next_offset: must lie after first_offset"),
        (b'"runs":1', b'"runs":2', "runs: must be as many as there are bytes for"),
        (b"[0,1,0,0,0]", b"[1,1,0,0,0]", "counts: must be of the agent's windows and scorers"),
        (b'"windows_ms":[60000]', b'"windows_ms":[]', "counts: must be of the agent's windows"),
        (b"panes/v1", b"panes/v2", "schema: "),
    ],
)
def test_what_is_no_sheet_is_told_why(written: bytes, instead: bytes, detail: str) -> None:
    payload = encode_sheet(SMALL)
    assert written in payload
    refused = decode_sheet(payload.replace(written, instead))
    assert isinstance(refused, Failure)
    assert detail in refused.detail


@given(st.none() | st.binary(max_size=50))
def test_any_bytes_are_read_or_refused(payload: bytes | None) -> None:
    assert isinstance(decode_sheet(payload), Failure)


def test_a_run_takes_16_bytes() -> None:
    def size(runs: int) -> int:
        counts: Counts = ({9: {"a": Tally(100, 100, 100 * NANO)}},)
        agent = AgentPanes(
            "a", "", (60_000,), (("a", "1"),), (pane_of(dict.fromkeys(range(runs), 1), counts),)
        )
        return len(encode_sheet(Sheet(SMALL.stretch, 0, is_last=True, agents=(agent,))))

    assert size(200) - size(100) == 1_600

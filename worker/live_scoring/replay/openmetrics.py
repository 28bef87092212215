"""A timeline as OpenMetrics text, which `promtool tsdb create-blocks-from openmetrics` takes."""

from array import array
from collections.abc import Iterator
from contextlib import ExitStack
from math import isnan, nan
from tempfile import TemporaryFile
from typing import IO, get_args

from live_scoring.adapters.metrics.families import FAMILIES, PREFIX, Family
from live_scoring.adapters.metrics.page import label, labels
from live_scoring.core.timeline import Stretch, Timeline, WindowHistory
from live_scoring.core.verdict import Gate, Verdict, VerdictState
from live_scoring.core.window import Tally

_NAMES = frozenset(
    (
        "window_samples",
        "window_errors",
        "window_gate_failures",
        "window_score_average",
        "gate_passed",
        "threshold_passed",
        "verdict_state",
    )
)
_WRITTEN = tuple(family for family in FAMILIES if family.name in _NAMES)
_VERDICTS: tuple[VerdictState, ...] = get_args(VerdictState)
_NOTHING = Tally()

_REPEAT_MS = 240_000
"""A longer pane's samples are repeated within it: Prometheus looks back for 5 minutes, and a
graph of a 24 h window, whose panes take 48, would be dots."""
_QUIET_MS = 86_400_000
"""How long an empty window is written on, so that one run of another year writes no years."""
_CHUNK = 1 << 20

_Key = tuple[str, str]
"""A family and the labels of one of its series."""


def write_openmetrics(
    timeline: Timeline, replay: str, from_ms: int | None = None, to_ms: int | None = None
) -> Iterator[bytes]:
    """The live worker's window and verdict series, with the label `replay`, piece by piece.

    Every series has a sample at every pane's end of the range, at least one in four minutes; it
    has none where the live worker's would be absent. Of an empty window the first 24 hours are
    written. Memory is bounded by one window of one agent; the text waits in temporary files,
    because OpenMetrics wants one family after the other.

    Args:
        timeline: The scores.
        replay: The replay's name, which keeps its series apart from others and from live ones.
        from_ms: See `Timeline.sweep`.
        to_ms: See `Timeline.sweep`.

    Raises:
        OSError: There is no room for temporary files.
    """
    with ExitStack() as opened:
        bodies = {f.name: opened.enter_context(TemporaryFile()) for f in _WRITTEN}
        for history in timeline.sweep(from_ms, to_ms):
            columns = _Columns(history)
            for (name, own), values in columns.values.items():
                inner = ",".join((label("replay", replay), columns.where, own))
                bodies[name].writelines(columns.lines(f"{PREFIX}{name}{{{inner}}}", values))
        for family in _WRITTEN:
            yield from _family(family, bodies[family.name])
    yield b"# EOF\n"


def _family(family: Family, body: IO[bytes]) -> Iterator[bytes]:
    body.seek(0)
    if first := body.read(_CHUNK):
        name = PREFIX + family.name
        yield f"# HELP {name} {family.help}\n# TYPE {name} {family.kind}\n".encode()
        yield first
    while more := body.read(_CHUNK):
        yield more


class _Columns:
    """One window's series side by side: for each stretch a value of each."""

    def __init__(self, history: WindowHistory) -> None:
        self.where = labels(
            ("agent", "group", "window"), (history.agent_id, history.group, history.window.name)
        )
        self.values: dict[_Key, array[float]] = {}
        """By series; NaN where a stretch has no sample of it."""
        self._pane_ms = history.window.pane_ms
        self._firsts, self._ends = array("q"), array("q")
        for stretch in history.stretches:
            self._add(stretch, history)

    def _add(self, stretch: Stretch, history: WindowHistory) -> None:
        before = len(self._firsts)
        for key, value in _samples(stretch, history):
            column = self.values.setdefault(key, array("d"))
            column.extend([nan] * (before - len(column)))
            column.append(value)
        self._firsts.append(stretch.first_ms)
        self._ends.append(_written(stretch, self._pane_ms))

    def lines(self, series: str, values: "array[float]") -> Iterator[bytes]:
        """The samples of a series, by time."""
        last_ms = self._firsts[-1] + (self._ends[-1] - 1) * self._pane_ms
        for first_ms, ends, value in zip(self._firsts, self._ends, values, strict=False):
            if not isnan(value):
                head = f"{series} {value!r} "
                times = _times(first_ms, ends, self._pane_ms)
                yield "".join(f"{head}{at / 1000:.3f}\n" for at in times if at <= last_ms).encode()


def _written(stretch: Stretch, pane_ms: int) -> int:
    """At how many of its ends a stretch is written."""
    return stretch.ends if stretch.tallies else min(stretch.ends, max(1, _QUIET_MS // pane_ms))


def _times(first_ms: int, ends: int, pane_ms: int) -> Iterator[int]:
    parts = -(-pane_ms // _REPEAT_MS)
    for end_ms in range(first_ms, first_ms + ends * pane_ms, pane_ms):
        for part in range(parts):
            yield end_ms + part * pane_ms // parts


def _samples(stretch: Stretch, history: WindowHistory) -> Iterator[tuple[_Key, float]]:
    """What the live worker would show of the window."""
    for scorer in history.plan.scorers:
        tally = stretch.tallies.get(scorer.name, _NOTHING)
        own = label("scorer", scorer.name)
        yield ("window_samples", own), tally.scored
        yield ("window_errors", own), tally.errors
        if (average := tally.average) is not None:
            yield ("window_score_average", own), average
    if stretch.verdict is not None:
        yield from _verdict_samples(stretch.verdict)


def _verdict_samples(verdict: Verdict) -> Iterator[tuple[_Key, float]]:
    for state in _VERDICTS:
        yield ("verdict_state", label("verdict", state)), state == verdict.state
    for result in verdict.results:
        is_gate = isinstance(result.rule, Gate)
        own = label("gate" if is_gate else "scorer", result.rule.name)
        if is_gate:
            yield ("window_gate_failures", own), result.failures
        if result.status != "insufficient":
            name = "gate_passed" if is_gate else "threshold_passed"
            yield (name, own), result.status == "passed"

"""The timeline of one agent as a figure: a row of coloured spells for each window and policy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from live_scoring.backtest import words
from live_scoring.backtest.course import Course
from live_scoring.backtest.report import AgentReport
from live_scoring.core.verdict import VerdictState

COLOURS: Mapping[VerdictState, str] = {
    "passed": "#2a9d6f",
    "scored": "#e9a820",
    "failed": "#d4314e",
    "no_data": "rgba(128, 138, 153, 0.28)",
}
WORST_FIRST: tuple[VerdictState, ...] = ("failed", "scored", "no_data", "passed")
CELLS = 1_000
"""Parts of a range that are told apart: more than a screen shows, fewer than a browser minds."""
_ROW_PIXELS, _FRAME_PIXELS = 30, 44

Figure = dict[str, Any]
"""What Plotly draws, as JSON; it holds no text of a run or a configuration but windows' names."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of one row in one colour."""

    row: str
    state: VerdictState
    from_ms: int
    to_ms: int


def figure_of(agent: AgentReport) -> Figure:
    """The agent's timeline; it must have windows."""
    bars = [bar for name, course in _rows(agent) for bar in bars_of(name, course)]
    rows = [name for name, _ in _rows(agent)]
    return {
        "data": [_trace(state, [bar for bar in bars if bar.state == state]) for state in COLOURS],
        "layout": {
            "height": height_of(agent),
            "margin": {"l": 84, "r": 10, "t": 4, "b": 36},
            "barmode": "overlay",
            "showlegend": False,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": "system-ui, sans-serif", "size": 12},
            "xaxis": {
                "type": "date",
                "range": [min(bar.from_ms for bar in bars), max(bar.to_ms for bar in bars)],
                "zeroline": False,
            },
            "yaxis": {
                "type": "category",
                "categoryorder": "array",
                "categoryarray": rows,
                "autorange": "reversed",
                "fixedrange": True,
                "showgrid": False,
                "ticksuffix": "  ",
            },
            "hoverlabel": {"bgcolor": "#1d2530", "font": {"color": "#ffffff"}, "align": "left"},
        },
    }


def height_of(agent: AgentReport) -> int:
    """Pixels that the figure takes."""
    return len(list(_rows(agent))) * _ROW_PIXELS + _FRAME_PIXELS


def _rows(agent: AgentReport) -> Iterator[tuple[str, Course]]:
    for window in agent.windows:
        for policy, course in agent.courses(window):
            yield f"{window} {policy}" if agent.old else window, course


def bars_of(row: str, course: Course) -> Iterator[Bar]:
    """A course in at most `CELLS` parts, each with the worst verdict in it."""
    cells = min(course.ends, CELLS)
    worst: list[VerdictState] = ["passed"] * cells
    place = 0
    for spell in course.spells:
        first, last = place * cells // course.ends, (place + spell.ends - 1) * cells // course.ends
        place += spell.ends
        for cell in range(first, last + 1):
            worst[cell] = min(worst[cell], spell.state, key=WORST_FIRST.index)
    begin_ms, at = course.spells[0].first_ms + 1 - course.pane_ms, 0
    for state, group in groupby(worst):
        after = at + len(list(group))
        ends = (-(-edge * course.ends // cells) for edge in (at, after))
        yield Bar(row, state, *(begin_ms + end * course.pane_ms for end in ends))
        at = after


def _trace(state: VerdictState, bars: list[Bar]) -> Figure:
    return {
        "type": "bar",
        "orientation": "h",
        "name": state,
        "y": [bar.row for bar in bars],
        "base": [bar.from_ms for bar in bars],
        "x": [bar.to_ms - bar.from_ms for bar in bars],
        "width": 0.72,
        "marker": {"color": COLOURS[state], "line": {"width": 0}},
        "customdata": [_told(bar) for bar in bars],
        "hovertemplate": "<b>%{y}: " + state + "</b><br>%{customdata}<extra></extra>",
    }


def _told(bar: Bar) -> str:
    return f"{words.moment(bar.from_ms)}, {words.duration(bar.to_ms - bar.from_ms)}"

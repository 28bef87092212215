"""Scores along a time, and timelines of them."""

from collections.abc import Iterable, Iterator
from typing import Any

from live_scoring.core.pipeline import Plan
from live_scoring.core.score import Score
from live_scoring.core.timeline import Timeline, WindowHistory
from live_scoring.core.verdict import Gate, Threshold, Verdict
from live_scoring.core.window import Tally, WindowSpec
from tests.live.boards import CLOSE, MINUTE, NOW_MS, agent_plan, score_of

ODD = WindowSpec("91s", 91_000, min_samples=2)
AGENT = agent_plan(
    pattern="agent-*",
    windows=(MINUTE, ODD),
    rules=(Gate("sunny", pass_ratio=0.5), Threshold("close", min=0.5, on_error="fail")),
)

Figures = tuple[dict[str, Tally], Verdict | None]


def score_at(after_ms: int, run_id: str, value: float | None = 1.0, **fields: Any) -> Score:
    return score_of(run_id, value, run_timestamp_ms=NOW_MS + after_ms, **fields)


def close_at(after_ms: int, run_id: str, value: float | None, **fields: Any) -> Score:
    known = {"scorer": CLOSE.name, "kind": CLOSE.kind, "fingerprint": CLOSE.fingerprint}
    return score_at(after_ms, run_id, value, **(known | fields))


def not_applicable_at(after_ms: int, run_id: str, *_: object, **fields: Any) -> Score:
    return score_at(after_ms, run_id, None, outcome="not_applicable", **fields)


def timeline_of(scores: Iterable[Score], plan: Plan | None = None) -> Timeline:
    timeline = Timeline(plan or Plan((AGENT,)))
    for score in scores:
        timeline.add(score)
    return timeline


def by_pane_end(history: WindowHistory) -> Iterator[tuple[int, Figures]]:
    """What the window says at each pane's end, the stretches unrolled."""
    for stretch in history.stretches:
        for number in range(stretch.ends):
            end_ms = stretch.first_ms + number * history.window.pane_ms
            yield end_ms, (dict(stretch.tallies), stretch.verdict)


def history_key(history: WindowHistory) -> tuple[str, str]:
    return history.agent_id, history.group

"""Lines of windows and verdicts: of those agents only that this worker may speak for now."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, get_args

from live_scoring.adapters.metrics.agents import AgentCounts
from live_scoring.adapters.metrics.page import Page, label, labels
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.transition import WindowReport
from live_scoring.core.verdict import Gate, RuleResult, Threshold, VerdictState
from live_scoring.core.window import Tally

_VERDICTS: tuple[VerdictState, ...] = get_args(VerdictState)
_WINDOW = ("agent", "group", "window")
_NOTHING = Tally()


class Board(Protocol):
    """What the verdict loop knows now; a worker that owns nothing shows nothing."""

    def reports(self) -> Iterable[WindowReport]:
        """Each window of the agents owned, as a snapshot: it is read in steps."""

    def judged_at_seconds(self) -> Mapping[str, float]:
        """When each agent owned was last judged, in seconds since the epoch."""

    def complete(self) -> Mapping[str, bool]:
        """By window: whether the scores log reaches back to its beginning."""

    def rebuilding(self) -> Mapping[int, bool]:
        """By partition owned: whether its windows are still being rebuilt."""


def write_board(
    page: Page, board: Board, plan: Plan, counts: Mapping[str, AgentCounts]
) -> Iterator[None]:
    """Add all that the board knows, pausing after each window."""
    for window, is_complete in board.complete().items():
        page.add("window_complete", label("window", window), int(is_complete))
    for partition, is_rebuilding in board.rebuilding().items():
        page.add("rebuilding", label("partition", str(partition)), int(is_rebuilding))
    for agent, seconds in board.judged_at_seconds().items():
        if plan.find(agent) is not None:
            page.add("verdict_evaluated_timestamp_seconds", label("agent", agent), seconds)
    yield
    nothing = AgentCounts()
    for report in board.reports():
        found = plan.find(report.agent_id)
        if found is not None:
            _write_report(page, report, found, counts.get(report.agent_id, nothing))
        yield


def _write_report(page: Page, report: WindowReport, plan: AgentPlan, counts: AgentCounts) -> None:
    where = labels(_WINDOW, (report.agent_id, report.group, report.window))
    if report.tallies is not None:
        for scorer in plan.scorers:
            tally = report.tallies.get(scorer.name, _NOTHING)
            _write_tally(page, f"{where},{label('scorer', scorer.name)}", tally)
    if report.verdict is None:
        return
    for state in _VERDICTS:
        inner = f'{where},verdict="{state}"'
        page.add("verdict_state", inner, int(state == report.verdict.state))
        changes = counts.transitions.get((report.group, report.window, state), 0)
        page.add("verdict_transitions_total", inner, changes)
    for result in report.verdict.results:
        _write_result(page, where, result)


def _write_tally(page: Page, inner: str, tally: Tally) -> None:
    page.add("window_samples", inner, tally.scored)
    page.add("window_errors", inner, tally.errors)
    if (average := tally.average) is not None:
        page.add("window_score_average", inner, average)


def _write_result(page: Page, where: str, result: RuleResult) -> None:
    match result.rule:
        case Gate(name=name):
            inner = f"{where},{label('gate', name)}"
            page.add("window_gate_failures", inner, result.failures)
            _write_passed(page, "gate_passed", inner, result)
        case Threshold(name=name, min=low, max=high):
            inner = f"{where},{label('scorer', name)}"
            _write_passed(page, "threshold_passed", inner, result)
            for bound, value in (("min", low), ("max", high)):
                if value is not None:
                    page.add("threshold_bound", f'{inner},bound="{bound}"', value)


def _write_passed(page: Page, name: str, inner: str, result: RuleResult) -> None:
    if result.status != "insufficient":
        page.add(name, inner, int(result.status == "passed"))

"""Lines of windows and verdicts: of those agents only that this worker may speak for now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol, get_args

from live_scoring.adapters.metrics.agents import AgentCounts
from live_scoring.adapters.metrics.page import Form, Key, Page, each, label, labels
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.transition import WindowReport
from live_scoring.core.verdict import Gate, Rule, RuleResult, Threshold, VerdictState
from live_scoring.core.window import Tallies, Tally

_VERDICTS: tuple[VerdictState, ...] = get_args(VerdictState)
_EVALUATED = Form("verdict_evaluated_timestamp_seconds")
_WINDOW = ("agent", "group", "window")
_NOTHING = Tally()
_PLANS = 1_000
"""Whose bounds' forms are kept from scrape to scrape."""


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
    complete, rebuilding = board.complete(), board.rebuilding()
    page.add(each("window_complete", tuple(complete)), "", map(int, complete.values()))
    partitions = tuple(map(str, rebuilding))
    page.add(each("rebuilding", partitions), "", map(int, rebuilding.values()))
    for agent, seconds in board.judged_at_seconds().items():
        if plan.find(agent) is not None:
            page.add_numbers(_EVALUATED, label("agent", agent), (seconds,))
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
        names = tuple([scorer.name for scorer in plan.scorers])
        _write_tallies(page, where, names, report.tallies)
    if report.verdict is None:
        return
    now, changes = report.verdict.state, counts.transitions
    before = [changes.get((report.group, report.window, state), 0) for state in _VERDICTS]
    page.add(each("verdict_state", _VERDICTS), where, [int(s == now) for s in _VERDICTS])
    page.add(each("verdict_transitions_total", _VERDICTS), where, before)
    _write_results(page, where, report.verdict.results)


def _write_tallies(page: Page, where: str, scorers: tuple[str, ...], tallies: Tallies) -> None:
    found = [tallies.get(scorer, _NOTHING) for scorer in scorers]
    page.add(each("window_samples", scorers), where, [tally.scored for tally in found])
    page.add(each("window_errors", scorers), where, [tally.errors for tally in found])
    averages = {
        scorer: average
        for scorer, tally in zip(scorers, found, strict=True)
        if (average := tally.average) is not None
    }
    if averages:
        page.add_numbers(each("window_score_average", tuple(averages)), where, averages.values())


def _write_results(page: Page, where: str, results: Sequence[RuleResult]) -> None:
    gates = [result for result in results if isinstance(result.rule, Gate)]
    _write_each(page, "window_gate_failures", where, {r.rule.name: r.failures for r in gates})
    _write_each(page, "gate_passed", where, _passed(results, Gate))
    _write_each(page, "threshold_passed", where, _passed(results, Threshold))
    bounds = dict[Key, float]()
    for result in results:
        if isinstance(rule := result.rule, Threshold):
            if rule.min is not None:
                bounds[rule.name, "min"] = rule.min
            if rule.max is not None:
                bounds[rule.name, "max"] = rule.max
    if bounds:
        page.add_numbers(_bounds(tuple(bounds)), where, bounds.values())


@lru_cache(maxsize=_PLANS)
def _bounds(keys: tuple[Key, ...]) -> Form:
    return Form("threshold_bound", keys)


def _passed(results: Iterable[RuleResult], kind: type[Rule]) -> dict[str, int]:
    return {
        r.rule.name: int(r.status == "passed")
        for r in results
        if isinstance(r.rule, kind) and r.status != "insufficient"
    }


def _write_each(page: Page, name: str, where: str, values: Mapping[str, int]) -> None:
    if values:
        page.add(each(name, tuple(values)), where, values.values())

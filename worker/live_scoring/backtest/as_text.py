"""A backtest as lines for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from live_scoring.backtest import words
from live_scoring.backtest.costs import RATES
from live_scoring.backtest.course import VERDICTS, Change, Course
from live_scoring.backtest.report import AgentReport, Backtest
from live_scoring.core.quote import counted, printable
from live_scoring.core.verdict import VerdictState

_SHOWN = 10
"""Changes of one window that are listed; the others are counted."""
_WIDTH = 1_000
_STYLES: dict[VerdictState, str] = {
    "passed": "green",
    "scored": "yellow",
    "failed": "bold red",
    "no_data": "dim",
}


def to_text(backtest: Backtest, *, is_coloured: bool) -> Iterator[str]:
    """Each agent with its verdicts and what is behind them.

    Args:
        backtest: What to tell.
        is_coloured: Whether escapes of a terminal are understood.
    """
    colours: Literal["standard"] | None = "standard" if is_coloured else None
    # Tables are as wide as they are: a narrow terminal breaks lines, and does not cut figures.
    console = Console(width=_WIDTH, force_terminal=is_coloured, color_system=colours)
    against = f" against {backtest.old_policy}" if backtest.old_policy else ""
    yield printable(
        f"{backtest.source}: {words.range_of(backtest)}, {backtest.new_policy}{against}"
    )
    for agent in backtest.agents:
        yield ""
        yield f"{agent.title}: {counted(agent.runs, 'run')}"
        if agent.windows:
            yield from _rendered(_table(agent), console)
        yield from (f"  {line}" for line in _details(agent))
        if agent.new.costs:
            yield from _rendered(_costs(agent), console)


def _rendered(table: Table, console: Console) -> list[str]:
    with console.capture() as capture:
        console.print(table)
    return [line.rstrip() for line in capture.get().splitlines()]


def _table(agent: AgentReport) -> Table:
    names = ("window", "policy") if agent.old else ("window",)
    table = _plain(*names, numbers=(*VERDICTS, "changes", "into failed", "at the end"))
    for window in agent.windows:
        for policy, course in agent.courses(window):
            cells = [window, policy] if agent.old else [window]
            table.add_row(*cells, *_figures(course))
    return table


def _costs(agent: AgentReport) -> Table:
    table = _plain("scores written", "rate", numbers=("now", *(f"at {rate:g}" for rate in RATES)))
    for cost in agent.new.costs:
        others = (f"{cost.at_rates[rate]:,}" for rate in RATES)
        table.add_row(Text(printable(cost.scorer)), words.rate(cost), f"{cost.scores:,}", *others)
    return table


def _plain(*names: str, numbers: Iterable[str]) -> Table:
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="dim")
    for name in names:
        table.add_column(name)
    for number in numbers:
        table.add_column(number, justify="right")
    return table


def _figures(course: Course) -> Iterator[str | Text]:
    for state, share in course.shares.items():
        yield Text(words.share(share), style=_STYLES[state] if share else "dim")
    yield f"{len(course.changes):,}"
    yield f"{course.into_failed:,}"
    yield Text(course.last, style=_STYLES[course.last])


def _details(agent: AgentReport) -> Iterator[str]:
    yield words.failures(agent.new)
    if agent.old:
        yield f"old policy: {words.failures(agent.old)}"
        yield from (f"rules {line}" for line in words.rule_changes(agent))
    for window, course in agent.new.courses.items():
        yield from _changes(window, course.changes)
        yield from (f"{window}: {words.advice(advice)}" for advice in course.advice)
    for flips in agent.flips:
        for told, examples in words.flips(flips):
            yield f"flips: {told}"
            yield from (f"    {words.example(example)}" for example in examples)
    if agent.old:
        yield f"scores written: {agent.new.scores:,}, old {agent.old.scores:,}"


def _changes(window: str, changes: Sequence[Change]) -> Iterator[str]:
    for change in words.worth_showing(changes, _SHOWN):
        head = f"{words.moment(change.at_ms + 1)} {window}: {change.previous} → {change.state}"
        told = [words.blame(blame) for blame in change.blames] or [words.why(change)]
        yield f"{head}: {'; '.join(told)}"
        for blame in change.blames:
            # Of several rules each run says which it failed.
            rule = f"{printable(blame.result.rule.name)}: " if len(told) > 1 else ""
            yield from (f"    {rule}{words.example(example)}" for example in blame.examples)
    if len(changes) > _SHOWN:
        yield f"{window}: {len(changes) - _SHOWN:,} more changes"

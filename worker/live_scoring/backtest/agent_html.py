"""One agent's part of the page."""

from collections.abc import Iterable, Iterator, Sequence

from live_scoring.backtest import words
from live_scoring.backtest.chart import height_of
from live_scoring.backtest.costs import RATES
from live_scoring.backtest.course import VERDICTS, Change, Course
from live_scoring.backtest.markup import listed, table, tag, text
from live_scoring.backtest.report import AgentReport
from live_scoring.core.quote import counted, printable
from live_scoring.core.transition import Example
from live_scoring.core.verdict import VerdictState

_SHOWN = 100
"""Changes of one window that are listed; the others are counted."""


def agent_section(agent: AgentReport, number: int) -> str:
    """The agent's timeline, figures and what is behind them.

    Args:
        agent: What to show.
        number: Of its figure.
    """
    return tag("section", *_parts(agent, number))


def _parts(agent: AgentReport, number: int) -> Iterator[str]:
    lasts = (tag("span", f"{w} {_verdict(c.last)}") for w, c in agent.new.courses.items())
    runs = tag("span", counted(agent.runs, "run"), class_="soft")
    yield tag("header", tag("h2", text(agent.title)), runs, *lasts)
    if agent.windows:
        label = f"Timeline of the verdicts of {agent.title}"
        room = f"min-height: {height_of(agent)}px"  # or the page would jump as it is drawn
        place = {"id": f"chart-{number}", "class": "chart", "style": room}
        yield tag("div", role="img", aria_label=label, **place)
        yield _shares(agent)
    yield _part("Failures", _failures(agent))
    yield _part("Rules", map(text, words.rule_changes(agent)))
    yield _part("Gates that were never green", _advice(agent))
    yield _part("Runs that flip", _flips(agent))
    yield _costs(agent)
    for window, course in agent.new.courses.items():
        yield _changes(window, course)


def _part(title: str, items: Iterable[str]) -> str:
    made = listed(items)
    return tag("h3", title) + made if made else ""


def _verdict(state: VerdictState) -> str:
    return tag("span", state, class_=f"verdict {state}")


def _shares(agent: AgentReport) -> str:
    heads = [
        "window",
        *(["policy"] if agent.old else []),
        *VERDICTS,
        "changes",
        "into failed",
        "end",
    ]
    rows = (
        [text(window), *([policy] if agent.old else []), *_figures(course)]
        for window in agent.windows
        for policy, course in agent.courses(window)
    )
    return table(heads, rows, names=2 if agent.old else 1)


def _figures(course: Course) -> Iterator[str]:
    for state, share in course.shares.items():
        yield tag("span", words.share(share), class_=state if share else "soft")
    yield f"{len(course.changes):,}"
    yield f"{course.into_failed:,}"
    yield _verdict(course.last)


def _failures(agent: AgentReport) -> Iterator[str]:
    yield text(words.failures(agent.new))
    if agent.old:
        yield text(f"old policy: {words.failures(agent.old)}")


def _advice(agent: AgentReport) -> Iterator[str]:
    for window, course in agent.new.courses.items():
        yield from (text(f"{window}: {words.advice(advice)}") for advice in course.advice)


def _flips(agent: AgentReport) -> Iterator[str]:
    for flips in agent.flips:
        for told, examples in words.flips(flips):
            yield text(told) + _examples(examples)


def _examples(examples: Sequence[Example]) -> str:
    return listed(
        f"{tag('code', text(printable(e.run_id)))} {text(printable(e.reason))}" for e in examples
    )


def _costs(agent: AgentReport) -> str:
    if not agent.new.costs:
        return ""
    heads = ["scorer", "rate", "scores", *(f"at {rate:g}" for rate in RATES)]
    rows = (
        [
            text(printable(cost.scorer)),
            text(words.rate(cost)),
            f"{cost.scores:,}",
            *(f"{cost.at_rates[rate]:,}" for rate in RATES),
        ]
        for cost in agent.new.costs
    )
    return tag("h3", "Scores written") + table(heads, rows, names=2)


def _changes(window: str, course: Course) -> str:
    shown = words.worth_showing(course.changes, _SHOWN)
    left = len(course.changes) - len(shown)
    items = [_change(change) for change in shown]
    if left:
        items.append(tag("span", f"{left:,} more", class_="soft"))
    if not items:
        return ""
    title = f"{text(window)}: {counted(len(course.changes), 'change')} of verdict"
    return tag("h3", "") + tag("details", tag("summary", title), listed(items))


def _change(change: Change) -> str:
    when = tag("span", words.moment(change.at_ms + 1), class_="soft")
    states = f"{_verdict(change.previous)} → {_verdict(change.state)}"
    behind = [text(words.blame(b)) + _examples(b.examples) for b in change.blames]
    return f"{when} {states}" + listed(behind or [text(words.why(change))])

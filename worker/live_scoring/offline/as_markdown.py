"""An evaluation as Markdown, for the summary of a CI job."""

import html
import re
from collections.abc import Iterator

from live_scoring.core.quote import counted, printable
from live_scoring.offline.evaluation import AgentReport, Evaluation
from live_scoring.offline.words import examples_of, kind_of, outcome_of, status_of

_MARKS = re.compile(r"[\\`*_\[\]#|~@]")
_SIGNS = {"passed": "✅", "scored": "⚠️", "failed": "❌"}


def to_markdown(evaluation: Evaluation) -> Iterator[str]:
    """A heading, a table with a line for each rule, and what else is not well."""
    verdict = evaluation.verdict or "no verdict"
    sign = _SIGNS.get(verdict, "")
    yield f"### live-scoring: {sign} {_plain(verdict)}, {counted(evaluation.runs, 'run')}"
    yield ""
    if evaluation.agents:
        yield "| agent | verdict | rule | result | figure | first runs that failed |"
        yield "| --- | --- | --- | --- | --- | --- |"
        for agent in evaluation.agents:
            yield from _rows(agent)
        yield ""
    for line in (*evaluation.problems, *evaluation.warnings):
        yield f"- {_plain(line)}"


def _rows(agent: AgentReport) -> Iterator[str]:
    for report in agent.scorers:
        status = status_of(report)
        cells = (
            _plain(agent.title),
            _plain(agent.verdict or "no verdict"),
            _plain(f"{kind_of(report)} {report.scorer.name}"),
            f"{_SIGNS.get(status, '')} {status}".strip(),
            _plain(outcome_of(report)),
            "<br>".join(map(_plain, examples_of(report))),
        )
        yield f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Text of which nothing is markup."""
    return _MARKS.sub(r"\\\g<0>", html.escape(printable(text), quote=False))

"""An evaluation as lines for a terminal."""

from collections.abc import Iterator

from click import style

from live_scoring.core.quote import counted
from live_scoring.offline.evaluation import AgentReport, Evaluation
from live_scoring.offline.words import examples_of, kind_of, outcome_of, status_of

_COLOURS = {"passed": "green", "scored": "yellow", "failed": "red"}


def to_text(evaluation: Evaluation) -> Iterator[str]:
    """Each agent with its rules and the first runs that failed them; last the verdict."""
    for agent in evaluation.agents:
        yield from _agent_lines(agent)
        yield ""
    verdict = evaluation.verdict or "no verdict"
    agents = len({agent.agent_id for agent in evaluation.agents})
    of = f"{counted(evaluation.runs, 'run')} of {counted(agents, 'agent')}"
    yield f"{of}: {_coloured(verdict)}"


def _agent_lines(agent: AgentReport) -> Iterator[str]:
    verdict = agent.verdict or "no verdict"
    yield f"{agent.title}: {_coloured(verdict)}, {counted(agent.runs, 'run')}"
    width = max((len(report.scorer.name) for report in agent.scorers), default=0)
    for report in agent.scorers:
        status = _coloured(status_of(report), width=12)
        name = report.scorer.name.ljust(width)
        yield f"  {status}  {kind_of(report):9}  {name}  {outcome_of(report)}"
        for example in examples_of(report):
            yield f"      {example}"


def _coloured(word: str, width: int = 0) -> str:
    return style(word.ljust(width), fg=_COLOURS.get(word), bold=word == "failed")

"""An evaluation as lines for a terminal."""

from collections.abc import Iterator

from click import style

from live_scoring.offline.evaluation import AgentReport, Evaluation, count
from live_scoring.offline.figures import examples_of, figure_of, kind_of, status_of

_COLOURS = {"passed": "green", "scored": "yellow", "failed": "red"}


def to_text(evaluation: Evaluation) -> Iterator[str]:
    """Each agent with its rules and the first runs that failed them; last the verdict."""
    for agent in evaluation.agents:
        yield from _agent_lines(agent)
        yield ""
    verdict = evaluation.verdict or "no verdict"
    agents = len({agent.agent_id for agent in evaluation.agents})
    of = f"{count(evaluation.runs)} of {agents} agent{'' if agents == 1 else 's'}"
    yield f"{of}: {_coloured(verdict)}"


def _agent_lines(agent: AgentReport) -> Iterator[str]:
    verdict = agent.verdict or "no verdict"
    yield f"{agent.title}: {_coloured(verdict)}, {count(agent.runs)}"
    width = max((len(report.scorer.name) for report in agent.scorers), default=0)
    for report in agent.scorers:
        status = _coloured(status_of(report), width=12)
        name = report.scorer.name.ljust(width)
        yield f"  {status}  {kind_of(report):9}  {name}  {figure_of(report)}"
        for example in examples_of(report):
            yield f"      {example}"


def _coloured(word: str, width: int = 0) -> str:
    return style(word.ljust(width), fg=_COLOURS.get(word), bold=word == "failed")

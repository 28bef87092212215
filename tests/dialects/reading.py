"""What the tests of dialects share: reading a trace, or why it is refused."""

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.dialects import read_trace
from live_scoring.telemetry.span import Span


def runs_of(*spans: Span) -> list[AgentRun]:
    """The runs of a trace."""
    runs = read_trace(spans)
    assert not isinstance(runs, Failure), runs
    return list(runs)


def run_of(*spans: Span) -> AgentRun:
    """The only run of a trace."""
    (run,) = runs_of(*spans)
    return run


def refusal(*spans: Span) -> tuple[str, str]:
    """The reason and the place for which a trace is refused."""
    answer = read_trace(spans)
    assert isinstance(answer, Failure), answer
    return answer.reason, answer.detail.split(":")[0]

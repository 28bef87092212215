"""Live scoring of AI agent runs: checks, gates, verdicts, on Kafka and offline."""

from live_scoring import checks
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.run import AgentRun, Message, ToolInvocation
from live_scoring.core.score import CheckResult, NotApplicable
from live_scoring.evals import EvalResult, arun_evals, run_evals
from live_scoring.scorers import StepContext, create_scorer

__all__ = [
    "AgentRun",
    "CheckResult",
    "EvalResult",
    "LiveScoringError",
    "Message",
    "NotApplicable",
    "StepContext",
    "ToolInvocation",
    "arun_evals",
    "checks",
    "create_scorer",
    "run_evals",
]

"""What each scorer makes of one run, and why: everything that decides, as plain values."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from live_scoring.adapters.outside import Outside
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.nearest import remedy_for
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.quote import printable
from live_scoring.core.run import AgentRun
from live_scoring.core.sampling import draw, draw_key, is_sampled
from live_scoring.core.score import CheckResult, Failure, NotApplicable, OutcomeKind, ScorerKind
from live_scoring.core.scoring import Answer, Check, Scorer, score_run
from live_scoring.core.wire import to_rfc3339
from live_scoring.formats import Decoded


class UnknownAgentError(LiveScoringError):
    """A run by an agent that no file of the configuration names."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The sampling decision of one scorer."""

    key: str
    """What was hashed: the trace id, or the run id without one; salted if `independent`."""
    u: float
    """The number in [0, 1) that belongs to the key."""
    rate: float
    is_drawn: bool
    """Whether u lies below the rate, or the run has failed and `always_on_error` is set."""


@dataclass(frozen=True, slots=True)
class ScorerExplanation:
    """One scorer on the run."""

    name: str
    kind: ScorerKind
    check: str
    parameters: Mapping[str, Any]
    """Empty for a scorer that is no check."""
    is_wanted: bool
    """Whether the scorer's filter admits the run."""
    draw: Draw
    outcome: OutcomeKind
    """What it answers, or would answer of a run that it does not see."""
    score: float | None
    reason: str
    findings: Mapping[str, Any]

    @property
    def is_asked(self) -> bool:
        """Whether the worker asks it, so that there is a score."""
        return self.is_wanted and self.draw.is_drawn


@dataclass(frozen=True, slots=True)
class Explanation:
    """One run as the worker sees it."""

    run: AgentRun
    format_name: str
    pattern: str
    """Agent id or glob of the file that asks about it."""
    group: str
    """Empty without `split_by`."""
    scorers: tuple[ScorerExplanation, ...]

    @property
    def placed(self) -> str | None:
        """The run's own end; without one the time of its Kafka record places it."""
        return None if self.run.end_ms is None else to_rfc3339(self.run.end_ms)


def explain(decoded: Decoded, plan: Plan) -> Explanation:
    """Ask every scorer of the run's agent, also those that would not see it.

    Raises:
        UnknownAgentError: No file names the agent.
    """
    run = decoded.run
    agent = plan.find(run.agent_id)
    if agent is None:
        patterns = [known.pattern for known in plan.agents]
        remedy = remedy_for(run.agent_id, patterns, "add a file for it")
        raise UnknownAgentError(f"{printable(run.agent_id)}: no file names this agent; {remedy}")
    return Explanation(
        run=run,
        format_name=decoded.format_name,
        pattern=agent.pattern,
        group=agent.group_of(run),
        scorers=tuple(_scorers(agent, run)),
    )


def _scorers(agent: AgentPlan, run: AgentRun) -> Iterator[ScorerExplanation]:
    for scorer in agent.scorers:
        answer = _ask(scorer, run)
        outcome, score, reason, findings = _told(answer)
        yield ScorerExplanation(
            name=scorer.name,
            kind=scorer.kind,
            check=scorer.check_id,
            parameters=scorer.run.model_dump() if isinstance(scorer.run, Check) else {},
            is_wanted=scorer.run_filter is None or scorer.run_filter.admits(run),
            draw=_drawn(scorer, run),
            outcome=outcome,
            score=score,
            reason=reason,
            findings=findings,
        )


def _ask(scorer: Scorer, run: AgentRun) -> Answer:
    if scorer.limits is None:
        return score_run(scorer, run)
    answer = asyncio.run(Outside().ask(scorer, run))
    return answer or Failure("score", "OverBudget", "its budget allows no call")


def _drawn(scorer: Scorer, run: AgentRun) -> Draw:
    key = draw_key(scorer.sampling, run, scorer.name)
    drawn = is_sampled(scorer.sampling, run, scorer.name)
    return Draw(key, draw(key), scorer.sampling.rate, drawn)


def _told(answer: Answer) -> tuple[OutcomeKind, float | None, str, Mapping[str, Any]]:
    match answer:
        case CheckResult(score, reason, findings):
            return "scored", float(score), reason, findings
        case NotApplicable(reason):
            return "not_applicable", None, reason, {}
        case Failure(reason=kind, detail=detail):
            return "error", None, f"{kind}: {detail}", {}

"""A backtest as JSON, for programs."""

from collections.abc import Sequence
from typing import Any

from live_scoring.backtest.costs import ScorerCost
from live_scoring.backtest.course import Blame, Change, Course
from live_scoring.backtest.flips import RuleFlips
from live_scoring.backtest.report import AgentReport, Backtest, PolicyReport
from live_scoring.core.transition import Example
from live_scoring.core.wire import to_rfc3339


def to_record(backtest: Backtest) -> dict[str, Any]:
    """The backtest, one entry an agent and group."""
    return {
        "source": backtest.source,
        "config": backtest.new_policy,
        "against": backtest.old_policy,
        "from": _moment(backtest.from_ms),
        "to": _moment(backtest.to_ms),
        "agents": [_agent(agent) for agent in backtest.agents],
        "notes": list(backtest.notes),
    }


def _moment(ms: int | None) -> str | None:
    return None if ms is None else to_rfc3339(ms)


def _agent(agent: AgentReport) -> dict[str, Any]:
    record = {
        "agent_id": agent.agent_id,
        "group": agent.group,
        "runs": agent.runs,
        "new": _policy(agent.new),
    }
    if agent.old is None:
        return record
    return record | {
        "old": _policy(agent.old),
        "rules": {
            "added": agent.rules.added,
            "removed": agent.rules.removed,
            "changed": agent.rules.changed,
        },
        "flips": [_flips(flips) for flips in agent.flips],
    }


def _policy(policy: PolicyReport) -> dict[str, Any]:
    return {
        "windows": {window: _course(course) for window, course in policy.courses.items()},
        "into_failed": policy.into_failed,
        "critical_failures": policy.critical_failures,
        "scores": policy.scores,
        "sampling": {cost.scorer: _cost(cost) for cost in policy.costs},
    }


def _course(course: Course) -> dict[str, Any]:
    return {
        "verdict": course.last,
        "shares": course.shares,
        "pane_ends": course.ends,
        "pane_seconds": course.pane_ms / 1000,
        "into_failed": course.into_failed,
        "transitions": [_change(change) for change in course.changes],
        "never_green": {
            advice.gate: {"pass_ratio_always": advice.always, "pass_ratio_ever": advice.ever}
            for advice in course.advice
        },
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "at": to_rfc3339(change.at_ms),
        "previous": change.previous,
        "verdict": change.state,
        "rules": [_blame(blame) for blame in change.blames],
    }


def _blame(blame: Blame) -> dict[str, Any]:
    result = blame.result
    return {
        "name": result.rule.name,
        "status": result.status,
        "samples": result.samples,
        "failures": result.failures,
        "errors": result.errors,
        "average": result.average,
        "cause": result.cause,
        "examples": _examples(blame.examples),
    }


def _flips(flips: RuleFlips) -> dict[str, Any]:
    return {
        "rule": flips.rule,
        "would_fail": flips.broken,
        "would_fail_examples": _examples(flips.broken_examples),
        "would_pass": flips.mended,
        "would_pass_examples": _examples(flips.mended_examples),
    }


def _cost(cost: ScorerCost) -> dict[str, Any]:
    return {
        "rate": cost.sampling.rate,
        "scores": cost.scores,
        "at_rates": {f"{rate:g}": scores for rate, scores in cost.at_rates.items()},
    }


def _examples(examples: Sequence[Example]) -> list[dict[str, Any]]:
    return [
        {
            "run_id": example.run_id,
            "trace_id": example.trace_id,
            "score": example.score,
            "reason": example.reason,
            "run_timestamp": to_rfc3339(example.run_timestamp_ms),
        }
        for example in examples
    ]

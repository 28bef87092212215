"""An evaluation as JSON, for programs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from live_scoring.core.transition import Example
from live_scoring.core.verdict import Gate, Rule, RuleResult, Threshold
from live_scoring.core.window import Tally
from live_scoring.offline.evaluation import AgentReport, Evaluation, ScorerReport, worst


def to_record(evaluation: Evaluation) -> dict[str, Any]:
    """The evaluation, agents by id, and what it could not use."""
    by_agent: defaultdict[str, list[AgentReport]] = defaultdict(list)
    for report in evaluation.agents:
        by_agent[report.agent_id].append(report)
    return {
        "verdict": evaluation.verdict,
        "agents": {agent_id: _agent(groups) for agent_id, groups in by_agent.items()},
        "unknown_agents": dict(evaluation.unknown),
        "unreadable_lines": evaluation.unreadable_lines,
        "warnings": list(evaluation.warnings),
    }


def _agent(groups: Sequence[AgentReport]) -> dict[str, Any]:
    """An agent over its groups: the worst verdict, each group's results, averages over all."""
    record: dict[str, Any] = {
        "verdict": worst(group.verdict for group in groups),
        "runs": sum(group.runs for group in groups),
        "gate_results": list(_results(groups, Gate)),
        "threshold_results": list(_results(groups, Threshold)),
        "scores": _averages(groups),
    }
    if any(group.group for group in groups):
        record["groups"] = {group.group: _group(group) for group in groups}
    return record


def _group(group: AgentReport) -> dict[str, Any]:
    return {"verdict": group.verdict, "runs": group.runs, "scores": _averages([group])}


def _averages(groups: Sequence[AgentReport]) -> Mapping[str, float]:
    """The average of each scorer that is no gate and has a score."""
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for report in (report for group in groups for report in group.scorers):
        if report.scorer.kind == "scorer":
            tallies[report.scorer.name].include(report.tally)
    averages = {name: tally.average for name, tally in tallies.items()}
    return {name: average for name, average in averages.items() if average is not None}


def _results(groups: Sequence[AgentReport], kind: type[Rule]) -> Iterator[dict[str, Any]]:
    for group in groups:
        named = {"group": group.group} if group.group else {}
        for report in group.scorers:
            if report.result is not None and isinstance(report.result.rule, kind):
                yield {"id": report.scorer.name} | named | _result(report, report.result)


def _result(report: ScorerReport, result: RuleResult) -> dict[str, Any]:
    return {
        "passed": None if result.status == "insufficient" else result.status == "passed",
        **_own_figures(result),
        "status": result.status,
        "samples": result.samples,
        "failures": result.failures,
        "errors": result.errors,
        "cause": result.cause,
        "not_applicable": report.not_applicable,
        "sampled_out": report.sampled_out,
        "over_budget": report.over_budget,
        "examples": [_example(example) for example in report.examples],
    }


def _own_figures(result: RuleResult) -> dict[str, Any]:
    match result.rule:
        case Gate():
            return {"score": result.average, "pass_ratio": result.rule.pass_ratio}
        case Threshold(min=low, max=high):
            bounds = {"min": low, "max": high}
            given = {bound: value for bound, value in bounds.items() if value is not None}
            return {"average_score": result.average, "threshold": given}


def _example(example: Example) -> dict[str, Any]:
    return {
        "run_id": example.run_id,
        "trace_id": example.trace_id,
        "score": example.score,
        "reason": example.reason,
    }

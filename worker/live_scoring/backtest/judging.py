"""From a trial that has seen every run to its report."""

from collections.abc import Mapping
from dataclasses import dataclass

from live_scoring.backtest.policy import Key
from live_scoring.backtest.report import AgentReport, Backtest, PolicyReport, RuleChanges
from live_scoring.backtest.trial import Trial
from live_scoring.core.pipeline import AgentPlan

_NOTHING = PolicyReport({}, {}, ())


@dataclass(frozen=True, slots=True)
class Asked:
    """What the backtest was asked, in words."""

    source: str
    """The file or topics."""
    new_policy: str
    """The folder of the configuration."""
    old_policy: str | None
    from_ms: int | None
    """The range's first moment; None is the first run's."""
    to_ms: int | None
    """Its last moment; None is the last run's."""


def judged(trial: Trial, asked: Asked, notes: tuple[str, ...]) -> Backtest:
    """Judge what the trial has seen."""
    from_ms = trial.first_ms if asked.from_ms is None else asked.from_ms
    to_ms = trial.last_ms if asked.to_ms is None else asked.to_ms
    agents: tuple[AgentReport, ...] = ()
    if from_ms is not None and to_ms is not None:
        reports = [policy.report(from_ms, max(from_ms, to_ms)) for policy in trial.policies]
        keys = sorted(set(trial.runs).union(*reports))
        agents = tuple(_agent(trial, key, reports) for key in keys)
    return Backtest(
        source=asked.source,
        new_policy=asked.new_policy,
        old_policy=asked.old_policy,
        from_ms=from_ms,
        to_ms=to_ms,
        agents=agents,
        notes=notes,
    )


def _agent(trial: Trial, key: Key, reports: list[Mapping[Key, PolicyReport]]) -> AgentReport:
    new, *others = reports
    plans = [policy.plan.find(key[0]) for policy in trial.policies]
    return AgentReport(
        agent_id=key[0],
        group=key[1],
        runs=trial.runs[key],
        new=new.get(key, _NOTHING),
        old=others[0].get(key, _NOTHING) if others else None,
        rules=_changes(plans[0], plans[1]) if others else RuleChanges(),
        flips=trial.flips[key].conclude(),
    )


def _changes(new: AgentPlan | None, old: AgentPlan | None) -> RuleChanges:
    now, then = _rules(new), _rules(old)
    return RuleChanges(
        added=tuple(name for name in now if name not in then),
        removed=tuple(name for name in then if name not in now),
        changed=tuple(name for name in now if name in then and now[name] != then[name]),
    )


def _rules(plan: AgentPlan | None) -> dict[str, object]:
    """By name all that a rule asks and bounds."""
    if plan is None:
        return {}
    bounds = {rule.name: rule for rule in plan.rules}
    return {
        s.name: (s.fingerprint, s.sampling, s.run_filter, bounds.get(s.name)) for s in plan.scorers
    }

"""Runs in, verdicts out: scores a file as the live worker would, and judges it as one window."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from live_scoring.adapters.files import Line
from live_scoring.core.pipeline import AgentPlan, Outcome, Plan, process
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure, Score, Source
from live_scoring.core.scoring import Scorer
from live_scoring.core.transition import Example
from live_scoring.core.verdict import RuleResult, passes
from live_scoring.core.whole import WholeWindow
from live_scoring.core.window import Tally
from live_scoring.formats import Limits, decode
from live_scoring.offline.evaluation import AgentReport, Evaluation, ScorerReport

_EXAMPLES = 5
_UNREADABLE = 10
_UNKNOWN_AGENTS = 1_000
"""Ids that are kept apart: memory must not grow with a file of strangers."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read."""

    source: str
    """The file in messages."""
    format_name: str | None
    """None looks at each line."""
    limits: Limits


def evaluate(lines: Iterable[Line], reading: Reading, plan: Plan) -> Evaluation:
    """Score and judge every run; memory grows with runs by some 100 bytes each."""
    judging = _Judging(plan)
    for line in lines:
        decoded = decode(line.content, reading.format_name, reading.limits)
        if isinstance(decoded, Failure):
            judging.refuse(line.number, decoded)
        else:
            source = Source(reading.source, 0, line.number, 0)
            judging.take(decoded.run, source)
    return judging.conclude(reading.source)


class _Judging:
    """An evaluation under way."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._tracked: dict[tuple[str, str], _Tracked] = {}
        self._unknown: Counter[str] = Counter()
        self._unknown_runs = 0
        self._unreadable: list[tuple[int, Failure]] = []
        self._unreadable_lines = 0

    def refuse(self, number: int, failure: Failure) -> None:
        self._unreadable_lines += 1
        if len(self._unreadable) < _UNREADABLE:
            self._unreadable.append((number, failure))

    def take(self, run: AgentRun, source: Source) -> None:
        agent = self._plan.find(run.agent_id)
        if agent is None:
            self._unknown_runs += 1
            if run.agent_id in self._unknown or len(self._unknown) < _UNKNOWN_AGENTS:
                self._unknown[run.agent_id] += 1
            return
        key = (run.agent_id, agent.group_of(run))
        tracked = self._tracked.get(key)
        if tracked is None:
            tracked = self._tracked[key] = _Tracked(agent)
        # A file has no clock, and one window needs none: everything is at 0.
        tracked.count(run, process(run, source, self._plan, now_ms=0))

    def conclude(self, source: str) -> Evaluation:
        return Evaluation(
            source=source,
            agents=tuple(t.report(*key) for key, t in sorted(self._tracked.items())),
            known=tuple(agent.pattern for agent in self._plan.agents),
            unknown=dict(self._unknown.most_common()),
            unknown_runs=self._unknown_runs,
            unreadable=tuple(self._unreadable),
            unreadable_lines=self._unreadable_lines,
        )


class _Tracked:
    """One agent and group under way."""

    def __init__(self, agent: AgentPlan) -> None:
        self._agent = agent
        self._window = WholeWindow(agent)
        self._rules = {rule.name: rule for rule in agent.rules}
        self._examples: dict[str, list[Example]] = {rule.name: [] for rule in agent.rules}
        self._not_applicable: Counter[str] = Counter()
        self._sampled_out: Counter[str] = Counter()

    def count(self, run: AgentRun, outcome: Outcome) -> None:
        if self._window.enter(run.run_id):
            self._sampled_out.update(outcome.sampled_out)
        for score in outcome.scores:
            if self._window.add(score):
                self._note(score)

    def _note(self, score: Score) -> None:
        if score.outcome == "not_applicable":
            self._not_applicable[score.scorer] += 1
            return
        rule = self._rules.get(score.scorer)
        if rule is None or passes(rule, score.score):
            return
        examples = self._examples[score.scorer]
        if len(examples) < _EXAMPLES:
            error = f"{score.error_type}: {score.error_message}"
            why = error if score.outcome == "error" else score.reason
            examples.append(Example(score.run_id, score.trace_id, score.score, why, 0))

    def report(self, agent_id: str, group: str) -> AgentReport:
        verdict = self._window.judge()
        results = {r.rule.name: r for r in verdict.results} if verdict else {}
        return AgentReport(
            agent_id=agent_id,
            group=group,
            runs=self._window.runs,
            verdict=verdict.state if verdict else None,
            scorers=tuple(self._of(s, results.get(s.name)) for s in self._agent.scorers),
        )

    def _of(self, scorer: Scorer, result: RuleResult | None) -> ScorerReport:
        has_failed = result is not None and result.status == "failed"
        return ScorerReport(
            scorer=scorer,
            tally=self._window.tallies.get(scorer.name, Tally()),
            not_applicable=self._not_applicable[scorer.name],
            sampled_out=self._sampled_out[scorer.name],
            result=result,
            examples=tuple(self._examples[scorer.name]) if has_failed else (),
        )

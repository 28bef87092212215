"""Runs in, verdicts out: scores a file as the live worker would, and judges it as one window."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence

from live_scoring.adapters.files import Part
from live_scoring.adapters.outside import Outside
from live_scoring.core.batch import process
from live_scoring.core.pipeline import AgentPlan, Outcome, OutsideCall, Plan
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure, Score, Source
from live_scoring.core.scoring import Answer, Scorer
from live_scoring.core.transition import Example
from live_scoring.core.verdict import RuleResult, passes
from live_scoring.core.whole import WholeWindow
from live_scoring.core.window import Tally
from live_scoring.gathering import GatheredRun, Unreadable
from live_scoring.offline.evaluation import AgentReport, Evaluation, ScorerReport
from live_scoring.offline.gather import Reading, gather

_CALLS = 500
"""Of scorers that call out, collected before they are asked: memory must not grow with a file."""
_EXAMPLES = 5
_UNREADABLE = 10
_UNKNOWN_AGENTS = 1_000
"""Ids that are kept apart: memory must not grow with a file of strangers."""


def evaluate(parts: Iterable[Part], reading: Reading, plan: Plan) -> Evaluation:
    """Score and judge every run; memory grows with whole runs by some 100 bytes each.

    Scorers that call out are asked as the live worker asks them, some hundred runs at a time.
    """
    judging = _Judging(plan)
    with asyncio.Runner() as runner:
        outside, calls = Outside(), list[OutsideCall]()
        for find in gather(parts, reading):
            match find:
                case GatheredRun():
                    calls += judging.take(find.run, find.source)
                case Unreadable():
                    judging.refuse(find.source.offset, find.failure)
            if len(calls) >= _CALLS:
                runner.run(_ask_all(outside, calls, judging))
                calls.clear()
        if calls:
            runner.run(_ask_all(outside, calls, judging))
    return judging.conclude(reading.source)


async def _ask_all(outside: Outside, calls: Sequence[OutsideCall], judging: "_Judging") -> None:
    answers = await asyncio.gather(*(outside.ask(c.scorer, c.placed.run) for c in calls))
    for call, answer in zip(calls, answers, strict=True):
        judging.take_answer(call, answer)


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

    def take(self, run: AgentRun, source: Source) -> Sequence[OutsideCall]:
        """Count a run; what is still to be asked about it."""
        agent = self._plan.find(run.agent_id)
        if agent is None:
            self._unknown_runs += 1
            if run.agent_id in self._unknown or len(self._unknown) < _UNKNOWN_AGENTS:
                self._unknown[run.agent_id] += 1
            return ()
        key = (run.agent_id, agent.group_of(run))
        tracked = self._tracked.get(key)
        if tracked is None:
            tracked = self._tracked[key] = _Tracked(agent)
        # A file has no clock, and one window needs none: everything is at 0.
        outcome = process(run, source, self._plan, now_ms=0)
        tracked.count(run, outcome)
        return outcome.outside

    def take_answer(self, call: OutsideCall, answer: Answer | None) -> None:
        tracked = self._tracked[call.placed.run.agent_id, call.placed.group]
        if answer is None:
            tracked.over_budget[call.scorer.name] += 1
        else:
            tracked.add(call.score(answer, now_ms=0))

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
        self.over_budget: Counter[str] = Counter()

    def count(self, run: AgentRun, outcome: Outcome) -> None:
        if self._window.enter(run.run_id):
            self._sampled_out.update(outcome.sampled_out)
        for score in outcome.scores:
            self.add(score)

    def add(self, score: Score) -> None:
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
            over_budget=self.over_budget[scorer.name],
            result=result,
            examples=tuple(self._examples[scorer.name]) if has_failed else (),
        )

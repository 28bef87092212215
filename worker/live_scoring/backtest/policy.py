"""One policy on trial: the windows it fills, and what it notes of each run."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from live_scoring.backtest.costs import Costs
from live_scoring.backtest.course import Course, course_of
from live_scoring.backtest.failing import FailingRuns, example_of
from live_scoring.backtest.report import PolicyReport
from live_scoring.core.pipeline import AgentPlan, Outcome, Plan
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Score
from live_scoring.core.timeline import Timeline
from live_scoring.core.transition import Example
from live_scoring.core.verdict import Gate, passes

Key = tuple[str, str]
"""Agent id and group."""


class Policy:
    """A plan and all that it makes of the runs."""

    def __init__(self, plan: Plan) -> None:
        """Start with no run."""
        self.plan = plan
        self._timeline = Timeline(plan)
        self._agents: dict[Key, _Tracked] = {}

    def draw(self, key: Key, run: AgentRun, outcome: Outcome) -> None:
        """Note what sampling a run of the range costs; its agent must be in the plan."""
        self._tracked(key).draw(run, outcome)

    def take(self, scores: Sequence[Score], *, is_inside: bool) -> Mapping[str, Score]:
        """Count the scores of one run; those that were not counted before, by scorer.

        Args:
            scores: Of one run.
            is_inside: Whether the run lies in the range, and not in the time before it that
                fills its first windows.
        """
        counted = {s.scorer: s for s in scores if self._timeline.add(s) == "counted"}
        for score in counted.values():
            tracked = self._tracked((score.agent_id, score.group))
            tracked.note(score, is_inside=is_inside)
        return counted

    def _tracked(self, key: Key) -> "_Tracked":
        if key not in self._agents:
            plan = self.plan.find(key[0])
            if plan is None:
                raise LookupError(f"{key[0]}: is no agent of the plan")
            self._agents[key] = _Tracked(plan)
        return self._agents[key]

    def report(self, from_ms: int, to_ms: int) -> Mapping[Key, PolicyReport]:
        """What it would have said over the range, by agent and group."""
        courses: defaultdict[Key, dict[str, Course]] = defaultdict(dict)
        for history in self._timeline.sweep(from_ms, to_ms):
            key = (history.agent_id, history.group)
            course = course_of(history, self._tracked(key).find_failing)
            if course is not None:
                courses[key][history.window.name] = course
        return {key: tracked.report(courses[key]) for key, tracked in self._agents.items()}


class _Tracked:
    """One agent and group."""

    def __init__(self, plan: AgentPlan) -> None:
        self._plan = plan
        self._rules = {rule.name: rule for rule in plan.rules}
        self._pane_ms = min(window.pane_ms for window in plan.windows)
        self._failing: dict[str, FailingRuns] = {}
        self._critical: Counter[str] = Counter()
        self._costs = Costs()

    def draw(self, run: AgentRun, outcome: Outcome) -> None:
        asked = {score.scorer for score in outcome.scores}.union(outcome.sampled_out)
        asked.update(call.scorer.name for call in outcome.outside)
        for scorer in self._plan.scorers:
            if scorer.name in asked:
                self._costs.count(run, scorer)

    def note(self, score: Score, *, is_inside: bool) -> None:
        rule = self._rules.get(score.scorer)
        if rule is None or score.outcome == "not_applicable" or passes(rule, score.score):
            return
        self._failing.setdefault(rule.name, FailingRuns(self._pane_ms)).add(example_of(score))
        if is_inside and isinstance(rule, Gate) and rule.critical:
            self._critical[rule.name] += 1

    def find_failing(self, rule: str, after_ms: int, until_ms: int) -> tuple[Example, ...]:
        found = self._failing.get(rule)
        return found.newest(after_ms, until_ms) if found else ()

    def report(self, courses: Mapping[str, Course]) -> PolicyReport:
        costs = self._costs.conclude(self._plan.scorers)
        return PolicyReport(courses, dict(self._critical), costs)

"""Counters of each agent, and the lines they make."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from live_scoring.adapters.metrics.histogram import Histogram
from live_scoring.adapters.metrics.page import Page, label
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.score import OutcomeKind, Score
from live_scoring.core.verdict import Gate, VerdictState

ScorerOutcome = OutcomeKind | Literal["sampled_out", "over_budget"]
GateResult = Literal["pass", "fail", "error"]
Ignored = Literal["late", "early", "stale_scorer", "replay"]

_OUTCOMES: tuple[ScorerOutcome, ...] = (*get_args(OutcomeKind), "sampled_out", "over_budget")
_RESULTS: tuple[GateResult, ...] = get_args(GateResult)
_IGNORED: tuple[Ignored, ...] = get_args(Ignored)
_SCORE_BOUNDS = tuple(tenth / 10 for tenth in range(11))


class AgentCounts:
    """What one agent's runs and scores added up to; a missing key is 0."""

    __slots__ = (
        "gate_runs",
        "ignored",
        "last_run",
        "outcomes",
        "published",
        "traces",
        "transitions",
        "values",
    )

    def __init__(self) -> None:
        """Start at 0."""
        self.outcomes: defaultdict[tuple[str, ScorerOutcome], int] = defaultdict(int)
        self.published: defaultdict[str, int] = defaultdict(int)
        self.gate_runs: defaultdict[tuple[str, GateResult], int] = defaultdict(int)
        self.ignored: defaultdict[Ignored, int] = defaultdict(int)
        self.transitions: defaultdict[tuple[str, str, VerdictState], int] = defaultdict(int)
        """By group, window and the verdict it changed into."""
        self.values: defaultdict[str, Histogram] = defaultdict(lambda: Histogram(_SCORE_BOUNDS))
        self.traces: dict[str, str] = {}
        """By gate, the trace of the last run that failed it."""
        self.last_run: float | None = None
        """Seconds since the epoch."""

    def count_score(self, score: Score, *, has_values: bool) -> None:
        """Count how a scorer ended on a run."""
        self.outcomes[score.scorer, score.outcome] += 1
        if has_values and score.score is not None:
            self.values[score.scorer].observe(score.score)
        if score.kind == "gate" and score.outcome != "not_applicable":
            self.count_gate(score.scorer, _result_of(score), score.trace_id)

    def count_gate(self, gate: str, result: GateResult, trace_id: str | None) -> None:
        """Count a run that a gate judged."""
        self.gate_runs[gate, result] += 1
        if trace_id and result == "fail":
            self.traces[gate] = trace_id

    def write(self, page: Page, agent: str, plan: AgentPlan) -> None:
        """Add the agent's lines: every scorer that the plan names, and no other."""
        who = label("agent", agent)
        for reason in _IGNORED:
            inner = f"{who},{label('reason', reason)}"
            page.add("scores_ignored_total", inner, self.ignored.get(reason, 0))
        if self.last_run is not None:
            page.add("last_run_timestamp_seconds", who, self.last_run)
        for scorer in plan.scorers:
            self._write_scorer(page, who, scorer.name)
        for rule in plan.rules:
            if isinstance(rule, Gate):
                self._write_gate(page, who, rule)

    def _write_scorer(self, page: Page, who: str, scorer: str) -> None:
        inner = f"{who},{label('scorer', scorer)}"
        page.add("scores_published_total", inner, self.published.get(scorer, 0))
        for outcome in _OUTCOMES:
            count = self.outcomes.get((scorer, outcome), 0)
            page.add("scorer_outcomes_total", f'{inner},outcome="{outcome}"', count)
        if scorer in self.values:
            self.values[scorer].write(page, "score_value", inner)

    def _write_gate(self, page: Page, who: str, gate: Gate) -> None:
        inner = f"{who},{label('gate', gate.name)}"
        page.add("gate_critical", inner, int(gate.critical))
        page.add("gate_pass_ratio", inner, 1 if gate.pass_ratio is None else gate.pass_ratio)
        for result in _RESULTS:
            trace = self.traces.get(gate.name) if result == "fail" else None
            count = self.gate_runs.get((gate.name, result), 0)
            exemplar = (trace, 1.0) if trace else None
            page.add("gate_runs_total", f'{inner},result="{result}"', count, exemplar=exemplar)


def write_agents(page: Page, plan: Plan, counts: Mapping[str, AgentCounts]) -> Iterator[None]:
    """Add the lines of all agents, pausing after each.

    An agent that is named exactly has its lines from the start; one that no longer has a plan has
    none.
    """
    nothing = AgentCounts()
    named = (agent.pattern for agent in plan.agents if not agent.is_glob)
    for agent in dict.fromkeys((*named, *counts)):
        found = plan.find(agent)
        if found is not None:
            counts.get(agent, nothing).write(page, agent, found)
        yield


def _result_of(score: Score) -> GateResult:
    if score.outcome == "error":
        return "error"
    return "pass" if score.score == 1.0 else "fail"

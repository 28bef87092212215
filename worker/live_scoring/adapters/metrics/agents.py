"""Counters of each agent, and the lines they make."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Literal, TypeVar, get_args

from live_scoring.adapters.metrics.histogram import Histogram
from live_scoring.adapters.metrics.page import Form, Page, each, label
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.score import OutcomeKind, Score
from live_scoring.core.verdict import Gate, VerdictState

ScorerOutcome = OutcomeKind | Literal["sampled_out", "over_budget"]
GateResult = Literal["pass", "fail", "error"]
Ignored = Literal["late", "early", "stale_scorer", "replay"]

_OUTCOMES: tuple[ScorerOutcome, ...] = (*get_args(OutcomeKind), "sampled_out", "over_budget")
_RESULTS: tuple[GateResult, ...] = get_args(GateResult)
_IGNORED: tuple[Ignored, ...] = get_args(Ignored)
_LAST_RUN = Form("last_run_timestamp_seconds")
_PLANS = 1_000
"""Whose forms are kept from scrape to scrape."""
_SCORE_BOUNDS = tuple(tenth / 10 for tenth in range(11))

_K = TypeVar("_K")


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
        page.add(each("scores_ignored_total", _IGNORED), who, _values(self.ignored, _IGNORED))
        if self.last_run is not None:
            page.add_numbers(_LAST_RUN, who, (self.last_run,))
        self._write_scorers(page, who, tuple([scorer.name for scorer in plan.scorers]))
        if gates := [rule for rule in plan.rules if isinstance(rule, Gate)]:
            self._write_gates(page, who, gates)

    def _write_scorers(self, page: Page, who: str, names: tuple[str, ...]) -> None:
        page.add(each("scores_published_total", names), who, _values(self.published, names))
        form, outcomes = _outcomes(names)
        page.add(form, who, _values(self.outcomes, outcomes))
        for name in names if self.values else ():
            if name in self.values:
                self.values[name].write(page, "score_value", f"{who},{label('scorer', name)}")

    def _write_gates(self, page: Page, who: str, gates: Sequence[Gate]) -> None:
        names = tuple([gate.name for gate in gates])
        ratios = [1 if gate.pass_ratio is None else gate.pass_ratio for gate in gates]
        page.add(each("gate_critical", names), who, [int(gate.critical) for gate in gates])
        page.add_numbers(each("gate_pass_ratio", names), who, ratios)
        form, results = _results(names)
        page.add_numbers(form, who, [self._runs(page, *key) for key in results])

    def _runs(self, page: Page, gate: str, result: GateResult) -> float | bytes:
        count = self.gate_runs.get((gate, result), 0)
        trace_id = self.traces.get(gate) if result == "fail" else None
        return page.marked(count, trace_id, 1.0) if trace_id else count


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


@lru_cache(maxsize=_PLANS)
def _outcomes(scorers: tuple[str, ...]) -> tuple[Form, Sequence[tuple[str, ScorerOutcome]]]:
    keys = [(scorer, outcome) for scorer in scorers for outcome in _OUTCOMES]
    return Form("scorer_outcomes_total", keys), keys


@lru_cache(maxsize=_PLANS)
def _results(gates: tuple[str, ...]) -> tuple[Form, Sequence[tuple[str, GateResult]]]:
    keys = [(gate, result) for gate in gates for result in _RESULTS]
    return Form("gate_runs_total", keys), keys


def _values(counts: Mapping[_K, int], keys: Iterable[_K]) -> list[int]:
    return [*map(counts.get, keys, repeat(0))]

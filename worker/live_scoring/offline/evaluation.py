"""What an evaluation comes to: reports of agents, what it could not use, and its exit code."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from live_scoring.core.nearest import remedy_for
from live_scoring.core.quote import counted, printable
from live_scoring.core.score import Failure
from live_scoring.core.scoring import Scorer
from live_scoring.core.transition import Example
from live_scoring.core.verdict import Gate, RuleResult, VerdictState
from live_scoring.core.window import Tally

_WORST_FIRST: tuple[VerdictState, ...] = ("failed", "scored", "passed", "no_data")
_SHOWN = 10
"""Lines and agents that are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class ScorerReport:
    """How one scorer ended on all runs of one agent and group."""

    scorer: Scorer
    tally: Tally
    not_applicable: int
    sampled_out: int
    over_budget: int
    """Runs that its budget left unscored."""
    result: RuleResult | None
    """Of its gate or threshold; None for a scorer that is tracked only."""
    examples: tuple[Example, ...]
    """The first runs that did not pass a rule that failed."""

    @property
    def is_gate(self) -> bool:
        """Whether every run, or a stated share, must pass it."""
        return self.result is not None and isinstance(self.result.rule, Gate)

    @property
    def has_failed(self) -> bool:
        """Whether its gate failed or its threshold is missed."""
        return self.result is not None and self.result.status == "failed"

    @property
    def has_judged(self) -> bool:
        """Whether a run counts for its gate or threshold."""
        return self.result is not None and self.result.status != "insufficient"


@dataclass(frozen=True, slots=True)
class AgentReport:
    """One agent, or one group of its runs, as one window."""

    agent_id: str
    group: str
    """Empty without `split_by`."""
    runs: int
    """Each counted once."""
    verdict: VerdictState | None
    """None without gates and thresholds."""
    scorers: tuple[ScorerReport, ...]

    @property
    def title(self) -> str:
        """The agent with its group."""
        name = printable(self.agent_id)
        return f"{name} ({printable(self.group)})" if self.group else name


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A whole file, judged."""

    source: str
    """The file in messages."""
    agents: tuple[AgentReport, ...]
    """By agent and group."""
    known: tuple[str, ...]
    """Agents and globs of the configuration."""
    unknown: Mapping[str, int]
    """Runs by agents that no file of the configuration names, as far as they are kept apart."""
    unknown_runs: int
    """All runs of such agents."""
    unreadable: tuple[tuple[int, Failure], ...]
    """The first lines that are no runs, by number; 0 is the whole file."""
    unreadable_lines: int
    """All of them."""

    @property
    def verdict(self) -> VerdictState | None:
        """The worst of all agents; None if none has one."""
        return worst(agent.verdict for agent in self.agents)

    @property
    def runs(self) -> int:
        """Runs that were asked about, each counted once."""
        return sum(agent.runs for agent in self.agents)

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read of the file, and what to do, each one line."""
        told = [
            f"{self.source}:{f' line {number}:' if number else ''} {failure.reason}: "
            f"{printable(failure.detail)}; mend or remove it"
            for number, failure in self.unreadable
        ]
        more = self.unreadable_lines - len(told)
        if more:
            told.append(f"{self.source}: {more:,} more lines cannot be read; mend or remove them")
        if told and not self.runs + self.unknown_runs:
            told.append(f"{self.source}: no line is a run; write each run on one line")
        return tuple(told)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What does not fail the evaluation and yet is not well, each one line."""
        return (*self._doubts(), *self._strangers())

    def _doubts(self) -> Iterator[str]:
        if not self.agents:
            yield f"{self.source}: has no run of an agent of the configuration; nothing was judged"
        for agent in self.agents:
            if agent.verdict == "scored":
                missed = ", ".join(s.scorer.name for s in agent.scorers if s.has_failed)
                yield f"{agent.title}: scored: missed {missed}"
            for report in agent.scorers:
                if report.over_budget:
                    over = f"{counted(report.over_budget, 'run')} over its budget"
                    yield f"{agent.title}: {report.scorer.name}: {over} not scored"
            if agent.verdict == "no_data":
                yield f"{agent.title}: no_data: none of its runs counts for a gate or threshold"
        for agent_id, name in self._idle_rules():
            yield f"{agent_id}: {printable(name)}: none of its runs counts for this rule"

    def _idle_rules(self) -> Iterator[tuple[str, str]]:
        """Agent and name of each rule that judged nothing in any group, though others did."""
        judged = [agent for agent in self.agents if agent.verdict != "no_data"]
        for agent_id in dict.fromkeys(agent.agent_id for agent in judged):
            reports = [r for a in self.agents if a.agent_id == agent_id for r in a.scorers]
            busy = {r.scorer.name for r in reports if r.has_judged or r.over_budget}
            names = dict.fromkeys(r.scorer.name for r in reports if r.result)
            yield from ((printable(agent_id), name) for name in names if name not in busy)

    def _strangers(self) -> Iterator[str]:
        for agent_id, runs in list(self.unknown.items())[:_SHOWN]:
            remedy = remedy_for(agent_id, self.known, "add a file for it")
            told = f"no file names this agent of {counted(runs, 'run')}"
            yield f"{printable(agent_id)}: {told}; {remedy}"
        others = self.unknown_runs - sum(list(self.unknown.values())[:_SHOWN])
        if others:
            yield f"{counted(others, 'run')} of other agents that no file names"

    def exit_code(self, *, is_strict: bool) -> int:
        """What the command ends with: 0 if all is well, 1 for a failed verdict.

        2 if nothing failed and yet a line could not be read: what it says is not known, so the
        others cannot pass in its name. 1 where a warning is to count as a failure.
        """
        if self.verdict == "failed":
            return 1
        if self.unreadable_lines:
            return 2
        return 1 if is_strict and self.warnings else 0


def worst(verdicts: Iterator[VerdictState | None]) -> VerdictState | None:
    """The worst of some verdicts; None if all are."""
    found = set(verdicts)
    return next((state for state in _WORST_FIRST if state in found), None)

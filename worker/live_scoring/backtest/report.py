"""What a backtest comes to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from live_scoring.backtest.costs import ScorerCost
from live_scoring.backtest.course import Course
from live_scoring.backtest.flips import RuleFlips
from live_scoring.core.quote import printable
from live_scoring.core.verdict import VerdictState


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """What one policy would have said of one agent and group."""

    courses: Mapping[str, Course]
    """By window."""
    critical_failures: Mapping[str, int]
    """Runs that did not pass, by critical gate: each may wake someone."""
    costs: tuple[ScorerCost, ...]

    @property
    def into_failed(self) -> int:
        """How often a window became `failed`."""
        return sum(course.into_failed for course in self.courses.values())

    @property
    def scores(self) -> int:
        """Scores that it would have written."""
        return sum(cost.scores for cost in self.costs)


@dataclass(frozen=True, slots=True)
class RuleChanges:
    """How the rules of an agent differ, by name."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """In what they ask, or in their bounds."""


@dataclass(frozen=True, slots=True)
class AgentReport:
    """One agent, or one group of its runs."""

    agent_id: str
    group: str
    """Empty without `split_by`."""
    runs: int
    """In the range, a repeated one once for each time it was read."""
    new: PolicyReport
    old: PolicyReport | None
    """None without a policy to compare with."""
    rules: RuleChanges
    flips: tuple[RuleFlips, ...]

    @property
    def title(self) -> str:
        """The agent with its group."""
        name = printable(self.agent_id)
        return f"{name} ({printable(self.group)})" if self.group else name

    @property
    def windows(self) -> tuple[str, ...]:
        """Names of the windows that either policy judges, the new one's first."""
        old = self.old.courses if self.old else {}
        return tuple(dict.fromkeys((*self.new.courses, *old)))

    def courses(self, window: str) -> Iterator[tuple[str, Course]]:
        """What each policy that judges the window says of it, `new` first."""
        for policy, report in (("new", self.new), ("old", self.old)):
            if report and window in report.courses:
                yield policy, report.courses[window]


@dataclass(frozen=True, slots=True)
class Backtest:
    """A whole backtest."""

    source: str
    """The file or topics in messages."""
    new_policy: str
    """The folder of the configuration."""
    old_policy: str | None
    from_ms: int | None
    """The range's first moment, since the epoch; None where no run was read."""
    to_ms: int | None
    """Its last moment."""
    agents: tuple[AgentReport, ...]
    """By agent and group."""
    notes: tuple[str, ...]
    """What could not be read or judged, and what of the past is missing, each one line."""

    def last_verdicts(self) -> Iterator[tuple[AgentReport, str, VerdictState]]:
        """What the new policy says at the end of the range, of each agent and window."""
        for agent in self.agents:
            for window, course in agent.new.courses.items():
                yield agent, window, course.last

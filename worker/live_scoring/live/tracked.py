"""One agent and group as the verdict loop tracks it: windows, the verdict that stands, examples."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from live_scoring.core.pane import AgentPanes
from live_scoring.core.pipeline import AgentPlan
from live_scoring.core.score import Score
from live_scoring.core.transition import Example, Transition, WindowReport
from live_scoring.core.verdict import Verdict, VerdictState, judge, passes
from live_scoring.core.window import AgentWindows, Counted, WindowSpec

_EXAMPLES = 5
_UNKNOWN = (None, None)
"""Fingerprint and rule of a scorer that a plan does not have."""

Admitted = Counted | Literal["early", "stale_scorer", "replay"]


@dataclass(frozen=True, slots=True)
class Change:
    """A window whose verdict is no longer the one that stands."""

    window: WindowSpec
    verdict: Verdict
    previous: VerdictState
    examples: Mapping[str, tuple[Example, ...]]
    """By failing rule, newest first, as far as they lie in the window."""


class TrackedAgent:
    """The windows of one agent and group, judged against its rules."""

    def __init__(self, agent_id: str, group: str, plan: AgentPlan, now_ms: int) -> None:
        """Start with empty windows at `now_ms` and no verdict standing."""
        self.agent_id = agent_id
        self.group = group
        self.plan = plan
        self.standing: dict[str, Transition] = {}
        """The last transition of each window that was published or read back."""
        rules = {rule.name: rule for rule in plan.rules}
        self._scorers = {s.name: (s.fingerprint, rules.get(s.name)) for s in plan.scorers}
        self._windows = AgentWindows(plan.windows, self._scorers, now_ms)
        self._longest_ms = max(window.length_ms for window in plan.windows)
        self._examples: dict[str, deque[Example]] = defaultdict(lambda: deque(maxlen=_EXAMPLES))
        self._unjudged = judge({}, plan.rules)
        """What a window without scores says."""
        self._judged: dict[str, Verdict] = {}
        self._has_changed = True
        self.last_run_ms = 0
        """When the newest run that counts ended, in milliseconds since the epoch."""

    def add(self, score: Score) -> Admitted:
        """Count a score of a scorer that the plan still has with the same fingerprint.

        A run that is dated more than a longest window after its scoring does not count: no restart
        would count it either, and until then it would take room.
        """
        scorer, at_ms = score.scorer, score.run_timestamp_ms
        fingerprint, rule = self._scorers.get(scorer, _UNKNOWN)
        if fingerprint != score.fingerprint:
            return "stale_scorer"
        if at_ms > score.scored_at_ms + self._longest_ms:
            return "early"
        if score.outcome == "not_applicable":
            return self._windows.mark(score.run_id, scorer, at_ms)
        counted = self._windows.add(score.run_id, scorer, at_ms, score.score)
        if counted == "counted":
            self.last_run_ms = max(self.last_run_ms, at_ms)
            self._has_changed = True
            if rule is not None and not passes(rule, score.score):
                self._remember(score)
        return counted

    def include(self, panes: AgentPanes) -> None:
        """Count what other windows have counted of the scorers that the plan still has."""
        scorers = tuple((name, fingerprint) for name, (fingerprint, _) in self._scorers.items())
        for pane in panes.adapted(scorers):
            if self._windows.include(pane.at, pane.runs, pane.counts):
                self.last_run_ms = max(self.last_run_ms, pane.last_ms)
                self._has_changed = True

    def _remember(self, score: Score) -> None:
        reason = score.reason or score.error_message or score.error_type or ""
        self._examples[score.scorer].appendleft(
            Example(score.run_id, score.trace_id, score.score, reason, score.run_timestamp_ms)
        )

    def judge(self, now_ms: int) -> Iterator[Change]:
        """Move the windows to `now_ms` and give those whose verdict has changed."""
        has_moved = self._windows.advance(now_ms)
        if not (has_moved or self._has_changed):
            return
        self._has_changed = False
        for window in self._windows.windows:
            verdict = judge(window.tallies, self.plan.rules, window.spec.min_samples)
            if verdict is None:
                continue
            self._judged[window.spec.name] = verdict
            previous = self.state_of(window.spec.name)
            if verdict.state != previous:
                evidence = self._evidence(verdict, now_ms - window.spec.length_ms)
                yield Change(window.spec, verdict, previous, evidence)

    def _evidence(self, verdict: Verdict, since_ms: int) -> dict[str, tuple[Example, ...]]:
        names = [r.rule.name for r in verdict.failing if r.rule.name in self._examples]
        return {
            name: tuple(e for e in self._examples[name] if e.run_timestamp_ms > since_ms)
            for name in names
        }

    def state_of(self, window: str) -> VerdictState:
        """The verdict that stands for a window; `no_data` before the first transition."""
        standing = self.standing.get(window)
        return standing.verdict.state if standing else "no_data"

    def recheck(self) -> None:
        """Judge anew next time, whatever has changed: a transition was not published."""
        self._has_changed = True

    def reports(self, *, is_rebuilding: bool) -> Iterator[WindowReport]:
        """What each window says: the verdict that stands until judged; counts once rebuilt."""
        for window in self._windows.windows:
            name, standing = window.spec.name, self.standing.get(window.spec.name)
            judged = None if is_rebuilding else self._judged.get(name)
            verdict = judged or (standing.verdict if standing else self._unjudged)
            tallies = None if is_rebuilding else window.tallies
            yield WindowReport(self.agent_id, self.group, name, verdict, tallies)

    def is_forgettable(self, now_ms: int, after_ms: int) -> bool:
        """Whether no window holds anything and there was no verdict, or run, for so long.

        One that is dated as far ahead is not believed: a clock was wrong.
        """
        signs = (self.last_run_ms, *(t.at_ms for t in self.standing.values()))
        if any(is_recent(at_ms, now_ms, after_ms) for at_ms in signs):
            return False
        return not any(
            t.scored or t.errors for w in self._windows.windows for t in w.tallies.values()
        )


def is_recent(at_ms: int, now_ms: int, within_ms: int) -> bool:
    """Whether a time lies so near to now, before it or, as clocks differ, after it."""
    return abs(now_ms - at_ms) <= within_ms

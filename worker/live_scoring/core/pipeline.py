"""What each agent is asked and judged by, and what becomes of a run."""

import hashlib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Literal

from msgspec import Struct

from live_scoring.core.disclosure import DISCREET, Disclosure
from live_scoring.core.run import AgentRun, as_name, to_utf8
from live_scoring.core.sampling import rate_for
from live_scoring.core.score import CheckResult, NotApplicable, OutcomeKind, Score, Source
from live_scoring.core.scoring import Answer, Scorer
from live_scoring.core.verdict import Rule
from live_scoring.core.window import WindowSpec

SKEW_LIMIT_MS = 60_000
"""How far a run's end may lie after its record's timestamp before it is not believed."""
_CACHE_LIMIT = 20_000
_GROUP_LIMIT = 100
"""Characters of a tag's value in a group, which is a label and stands in every score."""

Skipped = Literal["unknown_agent", "filtered"]


def is_glob(pattern: str) -> bool:
    """Whether a pattern stands for more than one agent."""
    return any(character in pattern for character in "*?[")


@dataclass(frozen=True, slots=True)
class AgentPlan:
    """What one agent, or all agents a glob matches, are asked and judged by."""

    pattern: str
    """An agent id, or a glob."""
    windows: tuple[WindowSpec, ...]
    scorers: tuple[Scorer, ...]
    """Gates first, then scorers, at most 64."""
    rules: tuple[Rule, ...]
    """Gates and thresholds, by the names of their scorers."""
    split_by: tuple[str, ...] = ()
    """Tags of the run whose values, joined by `/`, name the group."""

    @property
    def is_glob(self) -> bool:
        """Whether the pattern stands for more than one agent."""
        return is_glob(self.pattern)

    def group_of(self, run: AgentRun) -> str:
        """The run's group: its values of `split_by`, `-` for a missing one; empty without.

        A `/` inside a value is written `%2F`, so that no two combinations share a name; of a value
        of over 100 characters a hash stands for the rest.
        """
        if not self.split_by:
            return ""
        values = (_short(as_name(run.tags.get(tag, "-"))) for tag in self.split_by)
        return "/".join(v.replace("%", "%25").replace("/", "%2F") for v in values)


@dataclass(frozen=True)
class Plan:
    """The whole configuration as work: one `AgentPlan` for each pattern."""

    agents: tuple[AgentPlan, ...]
    config_hash: str = ""
    disclosure: Disclosure = DISCREET
    """What scores may tell of a run's text."""
    replay: str | None = None
    """The name that scores carry; None live."""
    _found: dict[str, AgentPlan | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def longest_ms(self) -> int:
        """Length of the longest window."""
        return max((w.length_ms for agent in self.agents for w in agent.windows), default=0)

    def find(self, agent_id: str) -> AgentPlan | None:
        """The plan of an agent: its own, else the glob with the most literal characters."""
        if agent_id in self._found:
            return self._found[agent_id]
        if len(self._found) >= _CACHE_LIMIT:
            self._found.clear()
        plan = self._found[agent_id] = self._search(agent_id)
        return plan

    @cached_property
    def _named(self) -> dict[str, AgentPlan]:
        return {plan.pattern: plan for plan in self.agents}

    @cached_property
    def _globs(self) -> tuple[AgentPlan, ...]:
        return tuple(plan for plan in self.agents if plan.is_glob)

    def _search(self, agent_id: str) -> AgentPlan | None:
        if agent_id in self._named:
            return self._named[agent_id]
        matching = [plan for plan in self._globs if fnmatchcase(agent_id, plan.pattern)]
        return max(matching, key=_exactness, default=None)


class PlacedRun(Struct, frozen=True, gc=False):
    """What the scores of one run share."""

    run: AgentRun
    source: Source
    group: str
    at_ms: int
    """When it counts, in milliseconds since the epoch."""
    disclosure: Disclosure = DISCREET
    text: str | None = None
    """The head of its output, where it may be told."""
    replay: str | None = None

    def score(self, scorer: Scorer, answer: Answer, now_ms: int) -> Score:
        """The score that an answer makes at a moment, in milliseconds since the epoch."""
        run, words = self.run, self.disclosure.words_of(answer)
        value: float | None = None
        error_type = error_message = None
        if isinstance(answer, CheckResult):
            outcome: OutcomeKind = "scored"
            value = float(answer.score)
        elif isinstance(answer, NotApplicable):
            outcome = "not_applicable"
        else:
            outcome = "error"
            error_type, error_message, words = answer.reason, words, ""
        # By position, which is the quickest.
        return Score(
            run.run_id,
            run.agent_id,
            self.group,
            scorer.name,
            scorer.kind,
            scorer.check_id,
            scorer.fingerprint,
            outcome,
            value,
            words,
            error_type,
            error_message,
            rate_for(scorer.sampling, run),
            self.at_ms,
            now_ms,
            run.trace_id,
            run.conversation_id,
            self.source,
            self.replay,
            self.text,
        )


@dataclass(frozen=True, slots=True)
class OutsideCall:
    """A run that a scorer which calls out has drawn: the shell asks it and scores the answer."""

    scorer: Scorer
    placed: PlacedRun

    def score(self, answer: Answer, now_ms: int) -> Score:
        """The score that the answer makes, `now_ms` milliseconds since the epoch."""
        return self.placed.score(self.scorer, answer, now_ms)


class Outcome(Struct, frozen=True, gc=False):
    """All that became of one run."""

    scores: tuple[Score, ...] = ()
    outside: tuple[OutsideCall, ...] = ()
    """What is still to be asked of scorers that call out."""
    sampled_out: tuple[str, ...] = ()
    """Names of the scorers that did not draw the run."""
    skipped: Skipped | None = None
    is_skewed: bool = False
    """The run's own end lay in the future and was not believed."""


def place(run: AgentRun, source: Source) -> tuple[int, bool]:
    """When a run counts, in milliseconds since the epoch, and whether its own end was refused."""
    if run.end_ms is None:
        return source.timestamp_ms, False
    if run.end_ms > source.timestamp_ms + SKEW_LIMIT_MS:
        return source.timestamp_ms, True
    return run.end_ms, False


def _short(value: str) -> str:
    if len(value) <= _GROUP_LIMIT:
        return value
    rest = hashlib.sha256(to_utf8(value)).hexdigest()[:16]
    return f"{value[: _GROUP_LIMIT - len(rest)]}{rest}"


def _exactness(plan: AgentPlan) -> tuple[int, str]:
    return sum(c not in "*?[]" for c in plan.pattern), plan.pattern

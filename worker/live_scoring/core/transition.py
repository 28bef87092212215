"""What is told of a verdict: a window's report, and the transition from one verdict to another."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from live_scoring.core.verdict import Verdict, VerdictState
from live_scoring.core.window import Tally


@dataclass(frozen=True, slots=True)
class Example:
    """A run that did not pass a rule."""

    run_id: str
    trace_id: str | None
    score: float | None
    """None for an error."""
    reason: str
    run_timestamp_ms: int


@dataclass(frozen=True, slots=True)
class WindowReport:
    """What one window of one agent and group says at a moment."""

    agent_id: str
    group: str
    window: str
    verdict: Verdict | None
    """None for an agent without gates and thresholds."""
    tallies: Mapping[str, Tally] | None
    """By scorer; None while they are not known, since the window is being rebuilt."""


@dataclass(frozen=True, slots=True)
class Transition:
    """A change of verdict: a record on the verdicts topic, keyed by agent, group and window."""

    agent_id: str
    group: str
    window: str
    verdict: Verdict
    previous: VerdictState
    """`no_data` where nothing came before."""
    at_ms: int
    """When it was judged, in milliseconds since the epoch."""
    scores_partition: int
    scores_offset: int
    """The scores up to here, exclusive, were judged; of two records the higher one holds."""
    config_hash: str
    examples: Mapping[str, tuple[Example, ...]] = field(default_factory=dict)
    """By failing rule, newest first."""

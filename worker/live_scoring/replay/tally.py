"""Counting what became of the records of a replay."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from live_scoring.core.pipeline import Outcome
from live_scoring.core.quote import printable
from live_scoring.core.score import Failure, OutcomeKind
from live_scoring.replay.gathering import Record

Fate = (
    Literal[
        "records",
        "missing",
        "outside_span",
        "runs",
        "other_agent",
        "unknown_agent",
        "filtered",
        "clock_skew",
        "sampled_out",
        "over_budget",
        "refused",
    ]
    | OutcomeKind
)
"""What is counted: records, runs, and how scorers ended."""
_EXAMPLES = 10


@dataclass(slots=True)
class Tally:
    """What became of records."""

    counts: Counter[str] = field(default_factory=Counter)
    """By `Fate`."""
    unreadable: Counter[str] = field(default_factory=Counter)
    """Records by the reason why they cannot be read."""
    examples: list[str] = field(default_factory=list)
    """The first of these, each with its place and reason in one line."""

    def __getitem__(self, fate: Fate) -> int:
        """How many there are."""
        return self.counts[fate]

    @property
    def scores(self) -> int:
        """Scores, however they ended."""
        return self["scored"] + self["not_applicable"] + self["error"]

    @property
    def passed(self) -> int:
        """Offsets, or lines, that were passed, whether there was a record or not."""
        return self["records"] + self["missing"]

    def note(self, fate: Fate, number: int = 1) -> None:
        """Count some more."""
        self.counts[fate] += number

    def note_outcome(self, outcome: Outcome) -> None:
        """Count what became of a run, but for its scores."""
        if outcome.skipped is not None:
            self.counts[outcome.skipped] += 1
        self.counts["clock_skew"] += outcome.is_skewed
        self.counts["sampled_out"] += len(outcome.sampled_out)

    def refuse(self, record: Record | None, failure: Failure) -> None:
        """Count what cannot be read: a record, or (None) a trace that only the end closed."""
        self.unreadable[failure.reason] += 1
        if len(self.examples) < _EXAMPLES:
            detail = printable(failure.detail)
            where = printable(record.where) if record else "at the end"
            self.examples.append(f"{where}: {failure.reason}: {detail}")

    def include(self, other: "Tally") -> None:
        """Add what another counted."""
        self.counts += other.counts
        self.unreadable += other.unreadable
        self.examples = (self.examples + other.examples)[:_EXAMPLES]

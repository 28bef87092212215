"""Which dead letters are to be sent back, and why the others are not."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from live_scoring.core.score import Source
from live_scoring.dead_letters.survey import Letter, Survey
from live_scoring.formats.dead_letter import Position

Left = Literal[
    "retried", "repeat", "truncated", "score", "trace", "topic", "unreadable", "refused", "gone"
]
"""Why a letter that was asked for is not sent."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which letters are asked for; None asks for all."""

    stage: str | None = None
    reason: str | None = None
    topic: str | None = None
    """The one that the records came from."""
    from_ms: int | None = None
    """Written at this time or later, in milliseconds since the epoch."""
    to_ms: int | None = None
    """Written before this time."""

    def admits(self, letter: Letter) -> bool:
        """Whether the letter is asked for."""
        failure, source = letter.facts.failure, letter.facts.source
        return (
            self.stage in (None, failure.stage)
            and self.reason in (None, failure.reason)
            and self.topic in (None, source.topic)
            and (self.from_ms is None or letter.at_ms >= self.from_ms)
            and (self.to_ms is None or letter.at_ms < self.to_ms)
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be sent, by position in rising order, and how many letters are left."""

    letters: dict[Position, Letter]
    left: Counter[Left]


def choose(survey: Survey, wanted: Wanted, topics: Collection[str]) -> Choice:
    """Choose one letter for each record that is asked for and can be sent back.

    Args:
        survey: All letters, in the order of their positions.
        wanted: Which are asked for.
        topics: Those that letters may be sent to.
    """
    choosing = _Choosing(survey, topics)
    for letter in survey.letters:
        if wanted.admits(letter):
            choosing.add(letter)
    return Choice(choosing.letters, choosing.left)


@dataclass(slots=True)
class _Choosing:
    survey: Survey
    topics: Collection[str]
    letters: dict[Position, Letter] = field(default_factory=dict)
    left: Counter[Left] = field(default_factory=Counter)
    seen: set[Source] = field(default_factory=set)

    def add(self, letter: Letter) -> None:
        why = self._why_not(letter)
        if why is not None:
            self.left[why] += 1
            return
        self.seen.add(letter.facts.source)
        self.letters[letter.position] = letter

    def _why_not(self, letter: Letter) -> Left | None:
        facts = letter.facts
        if facts.failure.stage == "publish":
            return "score"
        if facts.failure.stage == "assemble":
            return "trace"
        if facts.is_truncated:
            return "truncated"
        if facts.source.topic not in self.topics:
            return "topic"
        if facts.source in self.survey.sent:
            return "retried"
        return "repeat" if facts.source in self.seen else None

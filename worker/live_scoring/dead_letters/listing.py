"""Dead letters counted by what failed and where they came from, as lines or as JSON."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from live_scoring.core.quote import counted, printable
from live_scoring.core.wire import to_json, to_rfc3339
from live_scoring.dead_letters.survey import Letter, Survey

_HEADINGS = ("stage", "reason", "topic", "letters", "retried", "first", "last", "example")
Group = tuple[str, str, str]
"""Stage, reason and the topic that the records came from."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many letters of one group there are."""

    group: Group
    letters: int
    retried: int
    first_ms: int
    last_ms: int
    example: Letter
    """The newest."""


def count_letters(survey: Survey) -> list[Count]:
    """Count by group; the largest group first."""
    letters = sorted(survey.letters, key=_group_of)
    counts = [_count(g, list(found), survey) for g, found in groupby(letters, _group_of)]
    return sorted(counts, key=lambda count: (-count.letters, count.group))


def listing_to_text(topic: str, survey: Survey) -> Iterator[str]:
    """A table and a line that sums it up."""
    counts = count_letters(survey)
    rows = [_HEADINGS, *(_cells(count) for count in counts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows if counts else ():
        yield "  ".join(map(str.ljust, row, widths)).rstrip()
    letters, retried = len(survey.letters), sum(count.retried for count in counts)
    told = f"{counted(letters, 'dead letter')}, {retried:,} retried"
    yield f"{topic}: {told}, {counted(survey.foreign, 'foreign record')}"


def listing_to_json(topic: str, survey: Survey) -> str:
    """The same as one JSON object."""
    counts = [_to_record(count) for count in count_letters(survey)]
    return to_json({"topic": topic, "counts": counts, "foreign": survey.foreign}).decode()


def _group_of(letter: Letter) -> Group:
    facts = letter.facts
    return facts.failure.stage, facts.failure.reason, facts.source.topic


def _count(group: Group, letters: list[Letter], survey: Survey) -> Count:
    newest = max(letters, key=lambda letter: letter.at_ms)
    return Count(
        group=group,
        letters=len(letters),
        retried=sum(letter.facts.source in survey.sent for letter in letters),
        first_ms=min(letter.at_ms for letter in letters),
        last_ms=newest.at_ms,
        example=newest,
    )


def _cells(count: Count) -> tuple[str, ...]:
    return (
        *(printable(name) for name in count.group),
        str(count.letters),
        str(count.retried),
        to_rfc3339(count.first_ms),
        to_rfc3339(count.last_ms),
        str(count.example.position),
    )


def _to_record(count: Count) -> Mapping[str, Any]:
    stage, reason, topic = count.group
    return {
        "stage": stage,
        "reason": reason,
        "topic": topic,
        "letters": count.letters,
        "retried": count.retried,
        "first": to_rfc3339(count.first_ms),
        "last": to_rfc3339(count.last_ms),
        "example": str(count.example.position),
    }

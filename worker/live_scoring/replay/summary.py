"""What a replay has come to, as text and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from live_scoring.core.quote import counted, printable
from live_scoring.core.wire import to_json
from live_scoring.replay.tally import Tally


@dataclass(frozen=True, slots=True)
class Summary:
    """What became of all that was replayed."""

    name: str
    """The replay's."""
    source: str
    """What was read."""
    tally: Tally
    written: Mapping[str, str]
    """Where scores went, by what it is."""
    notes: Sequence[str]
    is_again: bool = False
    """Whether an earlier run of the same command had done all."""


def to_text(summary: Summary) -> Iterator[str]:
    """Some lines for people."""
    tally = summary.tally
    if summary.is_again:
        yield "already done by an earlier run; to replay anew, remove the checkpoint"
    yield (
        f"{printable(summary.source)}: {counted(tally['records'], 'record')}, "
        f"{counted(tally['runs'], 'run')}, {counted(tally.scores, 'score')}"
    )
    for heading, fates in _LINES:
        told = [f"{tally.counts[fate]:,} {words}" for fate, words in fates if tally.counts[fate]]
        if told:
            yield f"  {heading}: {', '.join(told)}"
    if tally.unreadable:
        reasons = ", ".join(f"{n:,} {reason}" for reason, n in tally.unreadable.most_common())
        yield f"  unreadable: {reasons}"
        for example in tally.examples:
            yield f"      {example}"
    where = ", ".join(f"{what} {printable(name)}" for what, name in summary.written.items())
    yield f"written to {where} as replay {printable(summary.name)}" if where else "nothing written"


_LINES = (
    (
        "scores",
        (("scored", "scored"), ("not_applicable", "not applicable"), ("error", "errors")),
    ),
    ("not scored", (("sampled_out", "sampled out"), ("over_budget", "over budget"))),
    (
        "runs left out",
        (
            ("unknown_agent", "of agents that no file names"),
            ("filtered", "that no scorer asks for"),
            ("other_agent", "of other agents than --agent"),
        ),
    ),
    (
        "records left out",
        (
            ("outside_span", "outside --from and --to"),
            ("missing", "no longer there (compacted away, or marks of transactions)"),
        ),
    ),
    (
        "besides",
        (
            ("clock_skew", "runs placed by their record's time, theirs lying after it"),
            ("refused", "scores too large for the topic"),
        ),
    ),
)
"""Headings with what is counted under them, and in which words."""


def to_record(summary: Summary) -> Mapping[str, Any]:
    """The summary as JSON; every count that there may be is there."""
    tally = summary.tally
    fates = [fate for _, of_line in _LINES for fate, _ in of_line]
    return {
        "replay": summary.name,
        "source": summary.source,
        "records": tally["records"],
        "runs": tally["runs"],
        "scores": tally.scores,
        **{fate: tally.counts[fate] for fate in fates},
        "unreadable": dict(tally.unreadable),
        "examples": tally.examples,
        "written": dict(summary.written),
        "notes": list(summary.notes),
    }


def to_json_line(summary: Summary) -> str:
    """The summary as one line of JSON."""
    return to_json(to_record(summary)).decode()

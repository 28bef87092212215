"""What a rule's figures are in words, the same in text, Markdown and JUnit XML."""

from collections.abc import Iterator

from live_scoring.core.figures import figures_of, mean_of
from live_scoring.core.quote import counted, printable
from live_scoring.core.transition import Example
from live_scoring.offline.evaluation import ScorerReport

_SHOWN = 3


def outcome_of(report: ScorerReport) -> str:
    """What the runs came to and what is asked of them."""
    parts = [_result_in_words(report), *_asides(report)]
    return ", ".join(part for part in parts if part)


def status_of(report: ScorerReport) -> str:
    """`passed`, `failed`, `insufficient`, or `tracked` where nothing is asked."""
    return report.result.status if report.result else "tracked"


def kind_of(report: ScorerReport) -> str:
    """What a scorer is to the verdict: a gate, a threshold, or only tracked."""
    if report.is_gate:
        return "gate"
    return "threshold" if report.result else "scorer"


def examples_of(report: ScorerReport) -> tuple[str, ...]:
    """The first runs behind a failure, each with its reason."""
    return tuple(map(_told, report.examples[:_SHOWN]))


def _told(example: Example) -> str:
    return f"{printable(example.run_id)}: {printable(example.reason)}"


def _result_in_words(report: ScorerReport) -> str:
    tally = report.tally
    if tally.scored + tally.errors == 0:
        return "no run counts"
    if report.result:
        return figures_of(report.result)
    told = mean_of(tally.average, tally.scored)
    return f"{told}, {counted(tally.errors, 'error')}" if tally.errors else told


def _asides(report: ScorerReport) -> Iterator[str]:
    if report.not_applicable:
        yield f"{report.not_applicable:,} not applicable"
    if report.over_budget:
        yield f"{report.over_budget:,} over budget"
    if report.sampled_out:
        yield f"{report.sampled_out:,} sampled out"

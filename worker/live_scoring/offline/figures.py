"""What a rule's figures are in words, the same in text, Markdown and JUnit XML."""

from collections.abc import Iterator

from live_scoring.core.quote import printable
from live_scoring.core.transition import Example
from live_scoring.core.verdict import Gate, RuleResult, Threshold
from live_scoring.offline.evaluation import ScorerReport, count

_SHOWN = 3


def figure_of(report: ScorerReport) -> str:
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
    result = report.result
    if report.tally.scored + report.tally.errors == 0:
        return "no run counts"
    if result is not None and isinstance(result.rule, Gate):
        return _gate(result, result.rule)
    average = report.tally.average
    if average is None:
        return "no score"
    bounds = _bounds(result.rule) if result and isinstance(result.rule, Threshold) else ""
    return f"average {average:.9g} of {count(report.tally.scored)}{bounds}"


def _gate(result: RuleResult, gate: Gate) -> str:
    passed = result.samples - result.failures
    told = f"{passed:,} of {count(result.samples)} passed"
    if gate.pass_ratio is None:
        return told
    fewest = f" or fewer than {gate.min_failures} fail" if gate.min_failures > 1 else ""
    return f"{told}, at least {gate.pass_ratio:.9g} must{fewest}"


def _bounds(threshold: Threshold) -> str:
    low = "" if threshold.min is None else f", at least {threshold.min:.9g}"
    high = "" if threshold.max is None else f", at most {threshold.max:.9g}"
    return low + high


def _asides(report: ScorerReport) -> Iterator[str]:
    errors = report.tally.errors
    if errors:
        yield f"{errors:,} error" if errors == 1 else f"{errors:,} errors"
    if report.not_applicable:
        yield f"{report.not_applicable:,} not applicable"
    if report.over_budget:
        yield f"{report.over_budget:,} over budget"
    if report.sampled_out:
        yield f"{report.sampled_out:,} sampled out"

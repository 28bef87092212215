"""What a measurement gives, and what several of one thing give together."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figures:
    """How fast something was, and what that took."""

    runs_per_s: float
    cpu_us_per_run: float | None = None
    """Processor time of its process for one run, in microseconds."""
    peak_mb: float | None = None
    """The most memory its process held, in 10^6 bytes."""


def median_of(measured: Sequence[Figures]) -> Figures:
    """The median of each figure."""
    return Figures(
        statistics.median(figures.runs_per_s for figures in measured),
        _median(figures.cpu_us_per_run for figures in measured),
        _median(figures.peak_mb for figures in measured),
    )


def _median(values: Iterable[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return statistics.median(present) if present else None

"""Evaluation of a data set in Python: a target runs on each item, gates and scorers judge it."""

from live_scoring.evals.panel import EvalError
from live_scoring.evals.results import (
    Answered,
    Bounds,
    EvalResult,
    GateResult,
    ItemResult,
    Summary,
    ThresholdResult,
)
from live_scoring.evals.run import arun_evals, run_evals

__all__ = [
    "Answered",
    "Bounds",
    "EvalError",
    "EvalResult",
    "GateResult",
    "ItemResult",
    "Summary",
    "ThresholdResult",
    "arun_evals",
    "run_evals",
]

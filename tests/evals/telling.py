"""Runs that say a score, and a scorer that believes them."""

from typing import Any

from live_scoring import AgentRun, EvalResult, NotApplicable, run_evals
from live_scoring.core.scoring import Given, NamedScorer
from tests.builders import run_saying


def saying_it(text: Any) -> AgentRun:
    """A target that says what it is given."""
    return run_saying(str(text))


def telling(name: str = "told") -> NamedScorer:
    """A scorer that answers what the run says, or raises at a word that is no answer."""

    def ask(run: AgentRun) -> Given:
        match run.spaced_text:
            case "None":
                return None
            case "n/a":
                return NotApplicable("not here")
            case number:
                return float(number)

    return NamedScorer(name, ask)


def scored(*told: Any, **panel: Any) -> EvalResult:
    return run_evals(data=told, target=saying_it, **({"scorers": [telling()]} | panel))


def gated(*told: Any) -> EvalResult:
    return scored(*told, gates=[telling()], scorers=[])

"""Factories of scorers of one's own, as a configuration names them."""

import urllib.request
from collections.abc import Callable
from pathlib import Path

from live_scoring.checks.text import Includes
from live_scoring.core.run import AgentRun
from live_scoring.core.scoring import NamedScorer, Question
from live_scoring.scorers import create_scorer

NO_FACTORY = 5


def greets(greeting: str = "hello") -> Question:
    """A plain function, answered by a factory."""
    return lambda run: greeting in run.spaced_text


def polite(word: str) -> Includes:
    """A check, which calls no one."""
    return Includes(expected=word)


def measured(limit: int) -> NamedScorer:
    """A scorer in steps, with an id of its own."""
    return create_scorer("measured", generate_score=lambda step: len(step.run.output) <= limit)


def fetches(url: str) -> Callable[[AgentRun], float]:
    """Ask a server, as a plain function that blocks; it answers the score as text."""

    def fetch(run: AgentRun) -> float:
        with urllib.request.urlopen(f"{url}/{run.run_id}") as answer:  # noqa: S310 -- the test's own
            return float(answer.read())

    return fetch


def notes_in(path: str) -> Callable[[AgentRun], float]:
    """Write down each run that it is asked about, as a plain function."""

    def note(run: AgentRun) -> float:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{run.run_id}\n")
        return 1.0

    return note


def refuses_runs() -> Question:
    """A scorer that is not to be asked."""

    def refuse(_: AgentRun) -> float:
        raise AssertionError("asked")

    return refuse


def refuses() -> Question:
    """A factory that cannot build its scorer."""
    raise LookupError("no key")

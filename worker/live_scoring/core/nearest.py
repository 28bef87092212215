"""The name that was probably meant, for messages that ask back."""

from collections.abc import Collection, Iterable, Sequence

from rapidfuzz import fuzz, process

from live_scoring.core.quote import listed

_CUTOFF = 70
"""Percent; `min` and `max` are no slip of the pen, `treshold` and `threshold` are."""
_NAMES_LIMIT = 1_000
"""Calls among which a like name is looked for; a run may hold many thousands."""


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice most like a word, whatever its case; None if none is alike or one is equal."""
    found = process.extractOne(
        word, list(choices), scorer=fuzz.ratio, processor=str.lower, score_cutoff=_CUTOFF
    )
    return None if found is None or found[0] == word else found[0]


def remedy_for(word: str, choices: Collection[str], otherwise: str = "") -> str:
    """What to do about a word that is none of the choices: take the nearest, or `otherwise`."""
    if meant := nearest(word, choices):
        return f"did you mean {meant}?"
    return otherwise or (f"use one of {', '.join(choices)}" if choices else "remove it")


def called_instead(tool: str, called: Sequence[str]) -> str:
    """Which tools were called where this one was looked for, and which of them may be meant."""
    if not called:
        return "no tool was called"
    meant = nearest(tool, dict.fromkeys(called[:_NAMES_LIMIT]))
    question = f"; did you mean {meant:.80}?" if meant else ""
    return f"called: {listed(called)}{question}"

"""The name that was probably meant, for messages that ask back."""

from collections.abc import Collection, Iterable

from rapidfuzz import fuzz, process

_CUTOFF = 70
"""Percent; `min` and `max` are no slip of the pen, `treshold` and `threshold` are."""


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

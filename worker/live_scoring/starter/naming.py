"""Names for what runs are called, which may be anything: of patterns, of files, of rules."""

import re
from itertools import accumulate

from live_scoring.core.run import ID_LIMIT

_STRANGE = re.compile(r"[^A-Za-z0-9._-]+")
_NAME_LIMIT = 60
_TEST_END = "_test"
"""Ends the names of files that hold cases."""


def pattern_of(agent_id: str) -> str:
    """What an agent's file names it by: its id or, where that cannot be written, a glob."""
    last = len(agent_id) - 1
    steps = [_step(c, is_edge=at in (0, last)) for at, c in enumerate(agent_id)]
    ends = list(accumulate(map(len, steps)))
    if ends[-1] <= ID_LIMIT:
        return "".join(steps)
    kept = sum(end < ID_LIMIT for end in ends)
    return "".join(steps[:kept]) + "*"


def _step(character: str, *, is_edge: bool) -> str:
    """What stands for one character: a glob's own ones and blank edges in brackets."""
    if character in "*?[" or (is_edge and character == " "):
        return f"[{character}]"
    return character if character.isprintable() else "?"


class Names:
    """Plain names that differ from one another, whatever the case."""

    def __init__(self, *taken: str) -> None:
        """Begin with names in lower case that are not to be given."""
        self._taken = set(taken)

    def give(self, text: str) -> str:
        """A name that tells of a text: of a file without its ending, or of a rule."""
        plain = _STRANGE.sub("-", text)[:_NAME_LIMIT].strip("-.") or "agent"
        if plain.lower().endswith(_TEST_END):
            plain += "-agent"
        name, number = plain, 1
        while name.lower() in self._taken:
            number += 1
            name = f"{plain}-{number}"
        self._taken.add(name.lower())
        return name

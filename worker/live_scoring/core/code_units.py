"""Text as JavaScript sees it: a sequence of UTF-16 code units, where half an emoji can match."""

import json
import re
from typing import Annotated

from pydantic import AfterValidator

from live_scoring.core.run import join_texts

PairedText = Annotated[str, AfterValidator(lambda text: join_texts((text,), ""))]
"""A check's parameter to compare with a run's text: halves of a pair that meet are one."""

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_ASTRAL_LEADS = range(0xF0, 0xF5)
"""Bytes with which such a character begins in UTF-8, and nothing else does."""


def to_code_units(text: str) -> str:
    """One character for each UTF-16 code unit: a character beyond U+FFFF becomes two."""
    if text.isascii() or not _has_astral(text):
        return text
    # JSON writes every unit on its own, and Python reads each escape as a character.
    return json.dumps(text)[1:-1].encode().decode("unicode_escape")


def _has_astral(text: str) -> bool:
    try:
        units = text.encode()
    except UnicodeEncodeError:
        return _ASTRAL.search(text) is not None
    return any(lead in units for lead in _ASTRAL_LEADS)


def contains_units(text: str, wanted: str) -> bool:
    """Whether the code units of `wanted` stand in a row in those of `text`.

    Both must be paired, as `join_texts` leaves them: then code points decide, unless `wanted`
    begins or ends with the lone half of a pair that `text` may hold whole.
    """
    if wanted in text:
        return True
    return _has_open_edge(wanted) and to_code_units(wanted) in to_code_units(text)


def _has_open_edge(text: str) -> bool:
    return text != "" and ("\udc00" <= text[0] <= "\udfff" or "\ud800" <= text[-1] <= "\udbff")

"""Text as JavaScript sees it: a sequence of UTF-16 code units, where half an emoji can match."""

import re
from typing import Annotated

from pydantic import AfterValidator

from live_scoring.core.run import join_texts

PairedText = Annotated[str, AfterValidator(lambda text: join_texts((text,), ""))]
"""A check's parameter to compare with a run's text: halves of a pair that meet are one."""

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def to_code_units(text: str) -> str:
    """One character for each UTF-16 code unit: a character beyond U+FFFF becomes two."""
    if text.isascii() or len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text):
        return text
    return _ASTRAL.sub(_pair, text)


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


def _pair(astral: re.Match[str]) -> str:
    high, low = divmod(ord(astral[0]) - 0x10000, 0x400)
    return chr(0xD800 + high) + chr(0xDC00 + low)

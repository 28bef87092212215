"""How like an expected text the output is, by pairs of letters or by rapidfuzz's measures."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import repeat
from operator import add
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator
from rapidfuzz import fuzz
from rapidfuzz.distance import JaroWinkler

from live_scoring.core.code_units import PairedText, to_code_units
from live_scoring.core.quote import quoted
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check

Metric = Literal[
    "dice", "ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "jaro_winkler"
]
_MEASURES: Mapping[Metric, Callable[[str, str], float]] = {
    "ratio": lambda a, b: fuzz.ratio(a, b) / 100,
    "partial_ratio": lambda a, b: fuzz.partial_ratio(a, b) / 100,
    "token_sort_ratio": lambda a, b: fuzz.token_sort_ratio(a, b) / 100,
    "token_set_ratio": lambda a, b: fuzz.token_set_ratio(a, b) / 100,
    "jaro_winkler": JaroWinkler.normalized_similarity,
}
"""Each 0..1, all but Dice, which alone takes time in proportion to the text's length."""
TEXT_LIMIT = 20_000
"""Characters of the output that count for these, so that none takes above 25 ms."""
DICE_LIMIT = 100_000
"""Characters of either text that count for Dice, which then takes 17 ms at worst."""

_FEW_PAIRS = 60
"""So many different pairs are sooner searched for one by one than all of the text's counted."""

_FEW_TIMES = 100
"""So often a pair is looked for one by one: the first times are mostly found at once."""

_EXPECTED_LIMITS: Mapping[Metric, int] = {"dice": DICE_LIMIT, "partial_ratio": 300}

_SPACES = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""JavaScript's white space: with U+FEFF, without U+0085 and U+001C to U+001F."""


class Similarity(Check):
    """Likeness of the output to `expected`, 0..1; with `threshold` 1 if it is reached, else 0.

    The measure is the Dice coefficient over pairs of letters, white space left out; only the first
    100,000 characters of the output count, and `expected` has no more. Another measure can be
    chosen by `metric`; then these limits are 20,000 and 1,000 (`partial_ratio`: 300).
    """

    id: ClassVar[str] = "check-similarity"
    needs_content: ClassVar[bool] = True

    expected: PairedText
    """Text to compare with."""
    threshold: Annotated[float, Field(allow_inf_nan=False)] | None = None
    """Likeness that scores 1; 0 is always reached, above 1 never."""
    ignore_case: bool = True
    """Compare in lower case."""
    metric: Metric = "dice"
    """`dice`, or one of rapidfuzz: `ratio`, `partial_ratio`, `token_sort_ratio`,
    `token_set_ratio`, `jaro_winkler`."""

    @model_validator(mode="after")
    def _check_length(self) -> Self:
        limit = _EXPECTED_LIMITS.get(self.metric, 1_000)
        if len(self.expected) > limit:
            remedy = "shorten it" if self.metric == "dice" else "shorten it or use metric: dice"
            raise ValueError(
                f"expected has {len(self.expected)} characters, above {limit} for "
                f"{self.metric}; {remedy}"
            )
        return self

    def __call__(self, run: AgentRun) -> CheckResult:
        is_dice = self.metric == "dice"
        said = run.spaced_lower if self.ignore_case else run.spaced_text
        text = said[: DICE_LIMIT if is_dice else TEXT_LIMIT]
        likeness = self._dice(text) if is_dice else self._measure(text)
        reason = f"{self.metric} similarity {likeness:.4f} to {quoted(self.expected)}"
        if self.threshold is None:
            return CheckResult.share(likeness, reason, similarity=likeness)
        if likeness >= self.threshold:
            return CheckResult.hit(f"{reason}, at least {self.threshold}", similarity=likeness)
        return CheckResult.miss(f"{reason}, below {self.threshold}", similarity=likeness)

    def _measure(self, text: str) -> float:
        wanted = self._folded
        # rapidfuzz finds two empty texts alike by some measures and unlike by others.
        return 1.0 if text == wanted else _MEASURES[self.metric](wanted, text)

    def _dice(self, text: str) -> float:
        units, wanted = _solid_units(text), self._units
        if units == wanted:
            return 1.0
        if len(units) < 2 or len(wanted) < 2:  # noqa: PLR2004 -- a pair has two
            return 0.0
        return 2 * self._shared(units) / (len(units) + len(wanted) - 2)

    def _shared(self, units: str) -> int:
        """How many pairs the text and `expected` share, each as often as both have it."""
        wanted = self._counts
        if len(wanted) <= _FEW_PAIRS:
            return sum(_count(pair, units, times) for pair, times in wanted.items())
        pairs = _pairs(units)
        return sum(map(min, wanted.values(), map(pairs.get, wanted, repeat(0))))

    @cached_property
    def _folded(self) -> str:
        return self.expected.lower() if self.ignore_case else self.expected

    @cached_property
    def _units(self) -> str:
        return _solid_units(self._folded)

    @cached_property
    def _counts(self) -> Counter[str]:
        return _pairs(self._units)


def _solid_units(text: str) -> str:
    for space in _SPACES:
        text = text.replace(space, "")  # one after the other, ten times as quick as a pattern
    return to_code_units(text)


def _count(pair: str, units: str, most: int) -> int:
    """How often a pair stands in a text, at most so often; `aa` stands twice in `aaa`."""
    if most > _FEW_TIMES:
        times = units.count(pair)
        if 0 < times < most and pair[0] == pair[1]:  # only such a pair overlaps itself
            times = len(re.findall(f"(?={re.escape(pair)})", units))
        return min(times, most)
    at = -1
    for found in range(most):
        at = units.find(pair, at + 1)
        if at < 0:
            return found
    return most


def _pairs(units: str) -> Counter[str]:
    return Counter(map(add, units, units[1:]))

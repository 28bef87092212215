"""Which faults befall which round, drawn from a seed: the same for the same seed, ever again."""

import hashlib
from dataclasses import dataclass
from typing import Literal, get_args

FaultKind = Literal[
    "kill", "pause", "add", "remove", "kill_broker", "cut_off", "reload", "dead_letters"
]
KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
FAULTS = 3
"""In each round; three rounds from the first on thus see every kind."""
ROUND_SECONDS = 12.0
"""For so long runs are sent while faults happen; what has ended is mended afterwards."""

_LASTING: dict[FaultKind, tuple[float, float]] = {
    "kill": (0.0, 3.0),
    "pause": (7.0, 10.0),  # past the session timeout of 6 s: a zombie
    "kill_broker": (1.0, 6.0),
    "cut_off": (1.0, 9.0),
}
"""Seconds at least and at most until what a fault took away comes back."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong."""

    kind: FaultKind
    at_seconds: float
    """Since the round began."""
    lasts_seconds: float
    chance: float
    """From 0 to 1, says whom it befalls."""

    def __str__(self) -> str:
        """As the report tells it."""
        lasting = f" for {self.lasts_seconds:.1f} s" if self.lasts_seconds else ""
        return f"{self.kind} at {self.at_seconds:.1f} s{lasting}"


def plan_round(seed: int, number: int) -> tuple[Fault, ...]:
    """The faults of a round, in the order of time."""
    dealt = range(number * FAULTS, (number + 1) * FAULTS)
    faults = (_fault(f"{seed}/{position}", _kind(seed, position)) for position in dealt)
    return tuple(sorted(faults, key=lambda fault: fault.at_seconds))


def _kind(seed: int, position: int) -> FaultKind:
    """Kinds are dealt like cards: all of them, shuffled, before any comes again."""
    deck, card = divmod(position, len(KINDS))
    return sorted(KINDS, key=lambda kind: draw(f"{seed}/deck {deck}/{kind}"))[card]


def _fault(salt: str, kind: FaultKind) -> Fault:
    low, high = _LASTING.get(kind, (0.0, 0.0))
    return Fault(
        kind,
        at_seconds=1 + draw(f"{salt}/at") * (ROUND_SECONDS - 3),
        lasts_seconds=low + draw(f"{salt}/lasts") * (high - low),
        chance=draw(f"{salt}/whom"),
    )


def draw(salt: str) -> float:
    """A number from 0 to below 1 that looks like chance and is the same for the same salt."""
    digest = hashlib.sha256(salt.encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48

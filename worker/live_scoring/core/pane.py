"""What a row of scores added to an agent's windows: counts, exact sums, and which runs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import gcd

from live_scoring.core.ledger import Packed, packed, run_key
from live_scoring.core.window import Grains, Tallies, Tally, WindowSpec, first_pane

RUNS = 8_192
"""Of one pane at most; more make further panes of the same time, whose counts add up."""
_GRAINS = 256
"""Of one pane at most, likewise: no pane takes long to be made."""

_OF_AN_AGENT = 32
"""What its names weigh, in runs."""

Counts = tuple[Mapping[int, Tallies], ...]
"""For each window, by the number of its pane and by scorer."""


@dataclass(frozen=True, slots=True)
class Pane:
    """What was added to one pane of the longest window."""

    at: int
    """Its number: a time in milliseconds divided by the length of such a pane."""
    last_ms: int
    """When its newest run ended."""
    runs: Packed
    """Which runs, and the bit of each scorer by its place among the agent's."""
    counts: Counts
    """What the runs ask of each window; one that has left its window is left out."""


@dataclass(frozen=True, slots=True)
class AgentPanes:
    """Panes of one agent and group, and what they were counted by."""

    agent_id: str
    group: str
    windows: tuple[int, ...]
    """Lengths in milliseconds."""
    scorers: tuple[tuple[str, str], ...]
    """Names and fingerprints."""
    panes: tuple[Pane, ...]

    @property
    def weight(self) -> int:
        """How much there is to read, in runs or what takes as long."""
        tallies = (t for pane in self.panes for panes in pane.counts for t in panes.values())
        return _OF_AN_AGENT + sum(len(pane.runs[0]) for pane in self.panes) + sum(map(len, tallies))

    def adapted(self, scorers: Sequence[tuple[str, str]]) -> Iterator[Pane]:
        """The panes as they would be, had only these scorers counted, by their places."""
        if self.scorers == tuple(scorers):
            yield from self.panes
            return
        places = {scorer: place for place, scorer in enumerate(scorers)}
        bits = [(1 << at, places.get(scorer)) for at, scorer in enumerate(self.scorers)]
        names = {name for name, mark in self.scorers if (name, mark) in places}
        for pane in self.panes:
            yield Pane(pane.at, pane.last_ms, _moved(pane.runs, bits), _only(pane.counts, names))


def _moved(runs: Packed, bits: Sequence[tuple[int, int | None]]) -> Packed:
    moved = {
        mask: sum(1 << place for bit, place in bits if place is not None and mask & bit)
        for mask in set(runs[1])
    }
    return packed((key, moved[mask]) for key, mask in zip(*runs, strict=True) if moved[mask])


def _only(counts: Counts, names: set[str]) -> Counts:
    return tuple(
        {
            pane: {name: tally for name, tally in tallies.items() if name in names}
            for pane, tallies in of_window.items()
        }
        for of_window in counts
    )


@dataclass(slots=True)
class _Open:
    """A pane that scores are still added to."""

    last_ms: int = 0
    masks: dict[int, int] = field(default_factory=dict)
    grains: Grains = field(default_factory=Grains)
    """As fine as the panes of all windows need."""


class PaneDraft:
    """Takes scores that the windows of an agent and group have just counted, to make panes."""

    def __init__(self, windows: Sequence[WindowSpec], scorers: Sequence[str]) -> None:
        """Start empty; of the scorers, 64 at most, the place is the bit."""
        self._windows = tuple(windows)
        self._bits = {scorer: 1 << place for place, scorer in enumerate(scorers)}
        self._pane_ms = max(window.pane_ms for window in windows)
        self._grain_ms = gcd(*(window.pane_ms for window in windows))
        self._panes = defaultdict[int, _Open](_Open)
        # Of the run that was taken last, as its scores come one after the other.
        self._run_id: str | None = None
        self._at_ms = self._key = 0
        self._pane = _Open()
        self._tallies: dict[str, Tally] | None = None
        """Of its grain of time, once one of its scores counts."""

    def mark(self, run_id: str, scorer: str, at_ms: int) -> None:
        """Take one that was not applicable."""
        if run_id != self._run_id or at_ms != self._at_ms:
            self._run_id, self._at_ms, self._key = run_id, at_ms, run_key(run_id)
            self._pane, self._tallies = self._panes[at_ms // self._pane_ms], None
        masks, key = self._pane.masks, self._key
        masks[key] = masks.get(key, 0) | self._bits[scorer]

    def add(self, run_id: str, scorer: str, at_ms: int, score: float | None) -> None:
        """Take a score (None: an error)."""
        self.mark(run_id, scorer, at_ms)
        if self._tallies is None:
            self._pane.last_ms = max(self._pane.last_ms, at_ms)
            self._tallies = self._pane.grains[at_ms // self._grain_ms]
        self._tallies[scorer].count(score)

    def panes(self, now_ms: int) -> Iterator[Pane]:
        """What was taken, without counts that have left their windows by `now_ms`."""
        for at, pane in self._panes.items():
            masks, grains = iter(pane.masks.items()), iter(pane.grains.items())
            while True:
                runs, counted = sorted(islice(masks, RUNS)), dict(islice(grains, _GRAINS))
                if not runs and not counted:
                    break
                yield Pane(at, pane.last_ms, packed(runs), self._counts(counted, now_ms))

    def _counts(self, grains: Mapping[int, Tallies], now_ms: int) -> Counts:
        found: list[dict[int, dict[str, Tally]]] = []
        for window in self._windows:
            panes: dict[int, dict[str, Tally]] = {}
            first = first_pane(window.length_ms, now_ms)
            for grain, tallies in grains.items():
                number = grain * self._grain_ms // window.pane_ms
                if number >= first:
                    into = panes.setdefault(number, {})
                    for name, tally in tallies.items():
                        into.setdefault(name, Tally()).include(tally)
            found.append(panes)
        return tuple(found)


Ignored = tuple[str, str, str]
"""An agent's id, and the name and fingerprint of a scorer."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Records of one partition of the scores topic, all of which a worker has seen to."""

    first_offset: int
    next_offset: int
    """Of the first record after them."""
    begins_ms: int
    """Timestamp of the first record."""
    ends_ms: int
    """Timestamp of the last record."""
    writer: str
    """Tells two workers apart."""
    ignored: tuple[Ignored, ...]
    """Whose scores were left out, as the configuration did not ask for them."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A record of the panes topic: a part of what a stretch of scores added."""

    stretch: Stretch
    number: int
    """From 0; a stretch is whole with every sheet up to the last."""
    is_last: bool
    agents: tuple[AgentPanes, ...]

"""Which of the stretches that the panes topic holds make one row without a gap."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from live_scoring.core.pane import Sheet, Stretch
from live_scoring.core.pipeline import Plan


@dataclass(frozen=True, slots=True)
class Link:
    """A stretch that is whole."""

    stretch: Stretch
    sheets: tuple[Sheet, ...]


class Sheets:
    """The sheets of one partition, in whatever order and however often they come."""

    def __init__(self) -> None:
        """Start with none."""
        self._sheets: defaultdict[Stretch, dict[int, Sheet]] = defaultdict(dict)

    def add(self, sheet: Sheet) -> None:
        """Take one; a repeat changes nothing."""
        self._sheets[sheet.stretch].setdefault(sheet.number, sheet)

    def chain(self, offset: int, plan: Plan) -> Sequence[Link]:
        """Stretches one after the other, from that offset or before as far as they reach.

        Only what the plan can use: all that it asks for has been counted. Where several
        stretches end alike, any will do, as each tells all that its scores added.
        """
        linked: dict[int, Link] = {}
        for stretch in sorted(self._sheets, key=lambda stretch: stretch.first_offset):
            begins = stretch.first_offset <= offset or stretch.first_offset in linked
            sheets = self._whole(stretch)
            if begins and sheets and _serves(stretch, sheets, plan):
                linked.setdefault(stretch.next_offset, Link(stretch, sheets))
        chain: list[Link] = []
        end = max(linked, default=offset)
        while end > offset:
            chain.append(linked[end])
            end = chain[-1].stretch.first_offset
        return chain[::-1]

    def _whole(self, stretch: Stretch) -> tuple[Sheet, ...]:
        """The stretch's sheets; none if one is missing."""
        sheets = [sheet for _, sheet in sorted(self._sheets[stretch].items())]
        is_whole = sheets[-1].is_last and len(sheets) == sheets[-1].number + 1
        return tuple(sheets) if is_whole else ()


def _serves(stretch: Stretch, sheets: Sequence[Sheet], plan: Plan) -> bool:
    ignored = any(_asks(plan, *scorer) for scorer in stretch.ignored)
    return not ignored and all(
        (asked := plan.find(agent.agent_id)) is None
        or agent.windows == tuple(window.length_ms for window in asked.windows)
        for sheet in sheets
        for agent in sheet.agents
    )


def _asks(plan: Plan, agent_id: str, name: str, fingerprint: str) -> bool:
    asked = plan.find(agent_id)
    return asked is not None and any(
        (scorer.name, scorer.fingerprint) == (name, fingerprint) for scorer in asked.scorers
    )

"""What was seen of each agent in a sample of records."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from live_scoring.core.ledger import run_key
from live_scoring.core.run import AgentRun
from live_scoring.inspection.inspector import Inspected
from live_scoring.inspection.summary import Summary
from live_scoring.starter.naming import pattern_of


@dataclass(slots=True)
class Seen:
    """Runs of one agent; what counts in a run is what the checks count."""

    runs: int = 0
    speaking: int = 0
    """Runs whose output has text."""
    sound: int = 0
    """Runs in which no tool failed."""
    callers: Counter[str] = field(default_factory=Counter)
    """By tool the runs that called it."""
    most_calls: int = 0
    """Of one run."""
    example: AgentRun | None = None
    """A run, a sound one that speaks if there was any."""
    is_good: bool = False
    """Whether the example is sound and speaks."""

    def add(self, run: AgentRun) -> None:
        """Count a run."""
        is_sound = not any(call.has_failed for call in run.invocations)
        speaks = bool(run.joined_text)
        self.runs += 1
        self.speaking += speaks
        self.sound += is_sound
        self.callers.update(set(run.called_tools))
        self.most_calls = max(self.most_calls, len(run.called_tools))
        is_better = is_sound and speaks and not self.is_good
        if self.example is None or is_better:
            self.example, self.is_good = run, is_sound and speaks


class Sample:
    """What was seen of all agents, by the pattern that an agent's file names it by."""

    def __init__(self, otherwise: str) -> None:
        """Begin with nothing; runs that name no agent are those of `otherwise`."""
        self.summary = Summary()
        self.agents: dict[str, Seen] = {}
        self._otherwise = otherwise
        self._known: set[int] = set()

    def add(self, found: Iterable[Inspected]) -> None:
        """Count what was found; a run that comes again counts once, as it does in a window."""
        for inspected in found:
            self.summary.add(inspected)
            if inspected.run is not None:
                named = inspected.run.agent_id if inspected.has_agent else self._otherwise
                self._count(inspected.run.model_copy(update={"agent_id": named}))

    def _count(self, run: AgentRun) -> None:
        key = run_key(f"{run.agent_id}\n{run.run_id}")
        if key not in self._known:
            self._known.add(key)
            self.agents.setdefault(pattern_of(run.agent_id), Seen()).add(run)

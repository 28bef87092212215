"""From runs to what became of them: one scorer is asked about a whole batch, then the next."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from live_scoring.core.pipeline import AgentPlan, Outcome, OutsideCall, PlacedRun, Plan, place
from live_scoring.core.run import AgentRun
from live_scoring.core.sampling import ALWAYS, is_sampled
from live_scoring.core.score import Score, Source
from live_scoring.core.scoring import Answer, Scorer, score_run

RUNS_OF_A_BATCH = 64
"""More gain nothing: what a scorer needs of so many still stays in the processor's caches."""
_BYTES_OF_A_BATCH = 256 * 1024
"""Of records: parsed runs take several times as much, and all of a batch are held at once."""

T = TypeVar("T")


class Filling(Generic[T]):
    """Collects runs until they make a batch."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._runs: list[T] = []
        self._bytes = 0

    def add(self, run: T, record_bytes: int) -> bool:
        """Add a run from a record of that size; whether there are enough."""
        self._runs.append(run)
        self._bytes += record_bytes
        return len(self._runs) >= RUNS_OF_A_BATCH or self._bytes >= _BYTES_OF_A_BATCH

    def take(self) -> list[T]:
        """All that was added since the last time."""
        runs, self._runs, self._bytes = self._runs, [], 0
        return runs


Answerer = Callable[[Scorer, AgentRun], Answer]


class _Entry(Struct, gc=False):
    """What has become of one run so far."""

    placed: PlacedRun | None
    """None where no agent of the plan has it."""
    is_skewed: bool = False
    scores: list[Score] = []
    outside: list[OutsideCall] = []
    left: list[str] = []

    def outcome(self) -> Outcome:
        if self.placed is None:
            return Outcome(skipped="unknown_agent")
        if not (self.scores or self.outside or self.left):
            return Outcome(skipped="filtered")
        return Outcome(
            tuple(self.scores), tuple(self.outside), tuple(self.left), is_skewed=self.is_skewed
        )


class Batch:
    """Runs that are scored by every scorer of their agent that wants and draws them.

    A scorer is asked about all runs before the next one is, so that its code and data stay in the
    processor's caches: run by run the same work takes half as long again. Which runs stand in one
    batch changes no score. No one is called.
    """

    def __init__(
        self,
        runs: Iterable[tuple[AgentRun, Source]],
        plan: Plan,
        now_ms: int,
        answer: Answerer = score_run,
    ) -> None:
        """Take the runs; nothing is done with them before `steps`.

        Args:
            runs: Each with the record it came from, whose timestamp places one without an end.
            plan: What agents are asked.
            now_ms: When the scores are made, in milliseconds since the epoch.
            answer: How a scorer is asked; a shell that measures or limits scorers wraps it.
        """
        self._plan = plan
        self._now_ms = now_ms
        self._answer = answer
        self._asked: dict[int, tuple[AgentPlan, list[_Entry]]] = {}
        """By identity of what they are asked."""
        self._runs = runs
        self._entries: list[_Entry] = []

    def _enter(self, run: AgentRun, source: Source) -> _Entry:
        plan = self._plan
        agent = plan.find(run.agent_id)
        if agent is None:
            return _Entry(None)
        at_ms, is_skewed = place(run, source)
        text = plan.disclosure.text_of(run)
        group = agent.group_of(run)
        entry = _Entry(
            PlacedRun(run, source, group, at_ms, plan.disclosure, text, plan.replay), is_skewed
        )
        self._asked.setdefault(id(agent), (agent, []))[1].append(entry)
        return entry

    def steps(self) -> Iterator[None]:
        """Score; between two steps a caller may give way to others.

        Each run is a step before the first scorer is asked: redacting its text may take as long.
        """
        for run, source in self._runs:
            self._entries.append(self._enter(run, source))
            yield
        for agent, entries in self._asked.values():
            for scorer in agent.scorers:
                yield from self._ask(scorer, entries)

    def _ask(self, scorer: Scorer, entries: Iterable[_Entry]) -> Iterator[None]:
        sampling, run_filter, answer = scorer.sampling, scorer.run_filter, self._answer
        for entry in entries:
            placed = entry.placed
            if placed is None or not (run_filter is None or run_filter.admits(placed.run)):
                continue
            if sampling is not ALWAYS and not is_sampled(sampling, placed.run, scorer.name):
                entry.left.append(scorer.name)
            elif scorer.limits is None:
                found = answer(scorer, placed.run)
                entry.scores.append(placed.score(scorer, found, self._now_ms))
                yield
            else:
                entry.outside.append(OutsideCall(scorer, placed))

    def outcomes(self) -> Sequence[Outcome]:
        """What became of each run, in their order, once all steps are taken."""
        return [entry.outcome() for entry in self._entries]


def process(
    run: AgentRun, source: Source, plan: Plan, now_ms: int, answer: Answerer = score_run
) -> Outcome:
    """Score a batch of one run; see `Batch`."""
    batch = Batch(((run, source),), plan, now_ms, answer)
    for _ in batch.steps():
        pass
    return batch.outcomes()[0]

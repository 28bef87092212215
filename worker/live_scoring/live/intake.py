"""From records of a runs topic to what must be published for it; nothing is sent here."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from live_scoring.adapters.kafka import ConsumerRecord, Outgoing, partition_of
from live_scoring.core.batch import Batch
from live_scoring.core.pipeline import SKEW_LIMIT_MS, Outcome, OutsideCall, PlacedRun, Plan
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Score, Source
from live_scoring.core.scoring import Answer
from live_scoring.formats.dead_letter import dead_letter_headers
from live_scoring.formats.header import named_format
from live_scoring.formats.score_json import agent_key, encode_scores
from live_scoring.gathering import Find, GatheredRun, Gatherer, Unreadable
from live_scoring.live.answering import Answering
from live_scoring.live.services import Services
from live_scoring.telemetry.envelope import Envelope
from live_scoring.wiring import build_bounds, build_reading

_UNKNOWN_AGENTS = 1_000
"""How many ids of unknown agents are kept for the log and the page."""
_FORGET_EVERY_SECONDS = 60.0
"""Looking through ten thousand agents takes a millisecond: not for every run."""


@dataclass(slots=True)
class Harvest:
    """What one turn's records have led to."""

    scores: list[Score] = field(default_factory=list)
    score_records: list[Outgoing] = field(default_factory=list)
    """One for each of `scores`, in the same order."""
    dead_letters: list[Outgoing] = field(default_factory=list)
    outside: list[tuple[int, OutsideCall]] = field(default_factory=list)
    """What is to be asked of scorers that call out, and the first offset that its run rests on."""
    ends: list[tuple[int, str | None]] = field(default_factory=list)
    """When each run ended of which the last score is here, in milliseconds, and its trace."""

    def end(self, placed: PlacedRun) -> None:
        """Note that no more scores of a run will come."""
        self.ends.append((placed.at_ms, placed.run.trace_id))


class Intake:
    """Gathers and scores runs, and counts what became of each record."""

    def __init__(self, services: Services, plan: Plan, score_partitions: int, dead: int) -> None:
        """Begin.

        Args:
            services: Configuration, metrics and clock.
            plan: What agents are asked.
            score_partitions: How many partitions the scores topic has.
            dead: How many the dead-letter topic has.
        """
        self.plan = plan
        self.unknown_agents: Counter[str] = Counter()
        self.runs = 0
        self.bad = 0
        reading = build_reading(services.config)
        bounds = build_bounds(services.config)
        self.gatherer = Gatherer(reading, bounds, looks_back=True, reads_aside=True)
        self._known_formats = reading.formats
        self._formats = services.config.topics.formats
        self._agents = services.config.topics.agents
        self._max_agents = services.config.max_agents
        self._forget_after_seconds = services.config.forget_after.total_seconds()
        self._forget_at = 0.0
        self._shown: dict[str, float] = {}
        """Agents that metrics name, and when their last run came, by the monotonic clock."""
        self._metrics = services.metrics
        self._clock = services.clock
        self._answering = Answering(services.clock, services.metrics.scorer_seconds)
        self._score_partitions = score_partitions
        self._dead_partitions = dead

    def gather(self, record: ConsumerRecord) -> Iterable[Find]:
        """What a record makes whole or shows to be unreadable, each to be taken in turn."""
        source = Source(record.topic, record.partition, record.offset, record.timestamp)
        envelope = Envelope(source, record.key, record.headers, self._agents.get(record.topic))
        latest_ms = self._clock.now_ms() + SKEW_LIMIT_MS
        return self.gatherer.take(record.value, envelope, self._format_of(record), latest_ms)

    def ask(self, runs: Iterable[GatheredRun]) -> Batch:
        """Runs, about which scorers are asked as the batch's steps are taken."""
        pairs = ((found.run, found.source) for found in runs)
        return Batch(pairs, self.plan, self._clock.now_ms(), self._answering)

    def bury(self, unreadable: Unreadable, harvest: Harvest) -> None:
        """What cannot be read becomes dead letters."""
        self.bad += 1
        self._metrics.dead_letter(unreadable.failure.stage, unreadable.failure.reason)
        harvest.dead_letters += self._letters_of(unreadable)

    def _format_of(self, record: ConsumerRecord) -> str | None:
        named = named_format(record.headers, self._known_formats) if record.headers else None
        return named or self._formats.get(record.topic)

    def take(self, gathered: GatheredRun, outcome: Outcome, harvest: Harvest) -> None:
        """Count a run and what became of it, and note what is to be published and asked."""
        run, source = gathered.run, gathered.source
        self.runs += 1
        self._metrics.run_consumed(source.topic, gathered.format_name)
        self._count(run, source, outcome)
        self._add(outcome.scores, harvest)
        harvest.outside += [(gathered.first_offset, call) for call in outcome.outside]
        if outcome.scores and not outcome.outside:
            harvest.ends.append((outcome.scores[0].run_timestamp_ms, run.trace_id))

    def take_answer(self, call: OutsideCall, answer: Answer | None, harvest: Harvest) -> None:
        """Score what a scorer that calls out has answered; None is counted as over budget."""
        agent = call.placed.run.agent_id
        if answer is not None:
            score = call.score(answer, self._clock.now_ms())
            self._add((score,), harvest)
            if self.is_shown(agent):
                self._metrics.scored(score)
        elif self.is_shown(agent):
            self._metrics.outcome(agent, call.scorer.name, "over_budget")

    def _add(self, scores: Sequence[Score], harvest: Harvest) -> None:
        """Add scores of one run."""
        if not scores:
            return
        key = agent_key(scores[0].agent_id)
        partition = partition_of(key, self._score_partitions)
        harvest.scores += scores
        values = encode_scores(scores)
        harvest.score_records += [Outgoing(key, value, partition) for value in values]

    def _count(self, run: AgentRun, source: Source, outcome: Outcome) -> None:
        agent = run.agent_id
        if outcome.skipped == "unknown_agent" and (
            agent in self.unknown_agents or len(self.unknown_agents) < _UNKNOWN_AGENTS
        ):
            self.unknown_agents[agent] += 1
        if outcome.skipped is None and not self._admits(agent):
            self._metrics.overflow()
            return
        latest_ms = self._clock.now_ms() + SKEW_LIMIT_MS
        self._metrics.run_scored(run, source, outcome, latest_ms=latest_ms)

    def _admits(self, agent: str) -> bool:
        """Whether metrics may name the agent; where there is no room, silent ones make it."""
        now = self._clock.monotonic()
        if agent not in self._shown and len(self._shown) >= self._max_agents:
            self._forget_silent(now)
            if len(self._shown) >= self._max_agents:
                return False
        self._shown[agent] = now
        return True

    def _forget_silent(self, now: float) -> None:
        if now < self._forget_at:
            return
        self._forget_at = now + _FORGET_EVERY_SECONDS
        since = now - self._forget_after_seconds
        for agent in [agent for agent, at in self._shown.items() if at < since]:
            del self._shown[agent]
            self._metrics.forget(agent)

    def is_shown(self, agent: str) -> bool:
        """Whether the agent is among the `max_agents` that metrics may name."""
        return agent in self._shown

    def _letters_of(self, unreadable: Unreadable) -> Iterator[Outgoing]:
        """Records for the dead-letter topic: the same key, bytes and headers, and why."""
        detail = self.plan.disclosure.redacted(unreadable.failure.detail)
        failure = replace(unreadable.failure, detail=detail)
        for payload, envelope in unreadable.records:
            source = envelope.source
            headers = dead_letter_headers(failure, source, envelope.headers)
            partition = self.dead_partition(source)
            yield Outgoing(envelope.key, payload or b"", partition, tuple(headers))

    def dead_partition(self, source: Source) -> int:
        """Where dead letters of a record's partition go."""
        return source.partition % self._dead_partitions

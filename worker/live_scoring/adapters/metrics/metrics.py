"""What the two loops record, and the page that it makes."""

import asyncio
import platform
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from prometheus_client import CollectorRegistry, ProcessCollector

from live_scoring.adapters.metrics.agents import (
    AgentCounts,
    Ignored,
    ScorerOutcome,
    write_agents,
)
from live_scoring.adapters.metrics.families import FAMILIES
from live_scoring.adapters.metrics.histogram import Histogram
from live_scoring.adapters.metrics.page import Form, Page, label
from live_scoring.adapters.metrics.windows import Board, write_board
from live_scoring.core.pipeline import Outcome, Plan, Skipped, place
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Score, Source
from live_scoring.core.transition import Transition
from live_scoring.gathering import Counts, Incomplete

_DURATION_BOUNDS = (1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 1e-3, 5e-3, 0.025, 0.1, 0.5, 2.5, 10)
_LATENCY_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
Notified = Literal["delivered", "refused", "expired"]
"""The webhook took it; it will not have it; it did not answer until the transition was too old."""
_NO_AGENT = "no_agent"
"""Why a trace is skipped."""
_TURN_SECONDS = 0.005
"""How long building a page may hold the event loop."""


@dataclass(frozen=True, slots=True)
class Known:
    """The label values that are known at start and therefore begin at 0."""

    run_topics: tuple[str, ...]
    written_topics: tuple[str, ...]
    formats: tuple[str, ...]
    dead_letters: tuple[tuple[str, str], ...]
    """Stage and reason."""
    webhooks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Build:
    """What runs here."""

    version: str
    revision: str


class Metrics:
    """The metrics of one worker, recorded and read by one thread; recording never fails."""

    def __init__(self, known: Known, build: Build, *, has_score_values: bool = False) -> None:
        """Start with every known label value at 0.

        Args:
            known: The values of closed labels.
            build: For `build_info`.
            has_score_values: Whether to keep the histograms `score_value`.
        """
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._series = {
            family.name: defaultdict[tuple[str, ...], float](int) for family in FAMILIES
        }
        self._series["build_info"][build.version, build.revision, platform.python_version()] = 1
        self._start_at_0(known)
        self._latency = Histogram(_LATENCY_BOUNDS)
        self._durations: defaultdict[str, Histogram] = defaultdict(_new_duration)
        self._agents: defaultdict[str, AgentCounts] = defaultdict(AgentCounts)
        self._has_score_values = has_score_values
        self._plan = Plan(())
        self._scorers: tuple[str, ...] = ()
        self._board: Board | None = None

    def _start_at_0(self, known: Known) -> None:
        topics = [(topic,) for topic in known.run_topics]
        zeros: dict[str, Iterable[tuple[str, ...]]] = {
            "runs_consumed_total": [(t, f) for t in known.run_topics for f in known.formats],
            "dead_letters_total": known.dead_letters,
            "runs_skipped_total": [(reason,) for reason in (*get_args(Skipped), _NO_AGENT)],
            "runs_incomplete_total": [(reason,) for reason in get_args(Incomplete)],
            "open_runs": [()],
            "spans_late_total": [()],
            "traces_split_total": [()],
            "clock_skew_total": topics,
            "runs_duplicate_total": topics,
            "publish_failures_total": [(topic,) for topic in known.written_topics],
            "notifications_total": [(w, r) for w in known.webhooks for r in get_args(Notified)],
            "agents_overflow_total": [()],
        }
        for name, keys in zeros.items():
            self._series[name].update(dict.fromkeys(keys, 0))

    # What the worker is asked, and what it knows.

    def expect(self, plan: Plan) -> None:
        """Show the agents and scorers of this plan, at 0 where nothing came yet, and no others."""
        self._plan = plan
        self._scorers = tuple({s.name: None for agent in plan.agents for s in agent.scorers})

    def watch(self, board: Board) -> None:
        """Show windows and verdicts as the board has them at each scrape."""
        self._board = board

    def forget(self, agent: str) -> None:
        """Drop the counters of an agent that is matched by a glob and has gone."""
        self._agents.pop(agent, None)

    def reload(self, *, ok: bool, config_hash: str, at_seconds: float) -> None:
        """Note that a configuration was loaded, or refused: then the old one stays in force."""
        self._series["config_last_reload_successful"][()] = int(ok)
        if ok:
            self._series["config_last_reload_success_timestamp_seconds"][()] = at_seconds
            self._series["config_info"] = defaultdict(int, {(config_hash,): 1})

    # The scoring half.

    def run_consumed(self, topic: str, run_format: str) -> None:
        """Count a decoded run."""
        self._series["runs_consumed_total"][topic, run_format] += 1

    def dead_letter(self, stage: str, reason: str) -> None:
        """Count a record put on the dead-letter topic."""
        self._series["dead_letters_total"][stage, reason] += 1

    def gathered(self, counts: Counts) -> None:
        """Show what became of traces since the start."""
        self._series["open_runs"][()] = counts.open
        self._series["spans_late_total"][()] = counts.late
        self._series["traces_split_total"][()] = counts.split
        self._series["runs_skipped_total"][_NO_AGENT,] = counts.no_agent
        for reason in get_args(Incomplete):
            self._series["runs_incomplete_total"][reason,] = counts.incomplete.get(reason, 0)

    def run_scored(
        self, run: AgentRun, source: Source, outcome: Outcome, *, latest_ms: int
    ) -> None:
        """Count all that `process` made of a run: skips, skew, outcomes, gates, newest run.

        Args:
            run: The run.
            source: The record it came from.
            outcome: What `process` made of it.
            latest_ms: No run that was seen by now can have ended later, whatever it and its
                record say, in milliseconds since the epoch.
        """
        if outcome.skipped is not None:
            self._series["runs_skipped_total"][outcome.skipped,] += 1
            return
        if outcome.is_skewed:
            self._series["clock_skew_total"][source.topic,] += 1
        counts = self._agents[run.agent_id]
        for score in outcome.scores:
            counts.count_score(score, has_values=self._has_score_values)
        for scorer in outcome.sampled_out:
            counts.outcomes[scorer, "sampled_out"] += 1
        placed = outcome.scores[0].run_timestamp_ms if outcome.scores else place(run, source)[0]
        counts.last_run = max(counts.last_run or 0.0, min(placed, latest_ms) / 1000)

    def scored(self, score: Score) -> None:
        """Count how a scorer that calls out ended, which `process` does not tell of."""
        self._agents[score.agent_id].count_score(score, has_values=self._has_score_values)

    def outcome(self, agent: str, scorer: str, outcome: ScorerOutcome, n: int = 1) -> None:
        """Count outcomes that `process` does not tell of, such as `over_budget`."""
        self._agents[agent].outcomes[scorer, outcome] += n

    def scorer_seconds(self, scorer: str, seconds: float) -> None:
        """Note the time that a scorer took on a run."""
        self._durations[scorer].observe(seconds)

    def published(self, scores: Iterable[Score]) -> None:
        """Count scores that the broker has confirmed."""
        for score in scores:
            self._agents[score.agent_id].published[score.scorer] += 1

    def latency(self, seconds: float, trace_id: str | None) -> None:
        """Note the time from a run's end to its scores confirmed."""
        self._latency.observe(seconds, trace_id)

    def publish_failed(self, topic: str) -> None:
        """Count a delivery that the broker refused."""
        self._series["publish_failures_total"][topic,] += 1

    # The verdict half.

    def run_duplicate(self, topic: str) -> None:
        """Count a run that a window had already counted."""
        self._series["runs_duplicate_total"][topic,] += 1

    def score_ignored(self, agent: str, reason: Ignored) -> None:
        """Count a score left out of a window."""
        self._agents[agent].ignored[reason] += 1

    def overflow(self) -> None:
        """Count a score of an agent or group beyond the cap."""
        self._series["agents_overflow_total"][()] += 1

    def transition(self, transition: Transition) -> None:
        """Count a change into a verdict; shown while the board reports the window."""
        key = transition.group, transition.window, transition.verdict.state
        self._agents[transition.agent_id].transitions[key] += 1

    def notified(self, webhook: str, result: Notified) -> None:
        """Count what became of a transition that a webhook was to be told of."""
        self._series["notifications_total"][webhook, result] += 1

    def pane_lag(self, partition: int, records: int | None) -> None:
        """Set how many scores no pane tells of; None where no panes are kept."""
        if records is None:
            self._series["pane_lag_records"].pop((str(partition),), None)
        else:
            self._series["pane_lag_records"][str(partition),] = records

    # Both.

    def lags(self) -> Mapping[str, int]:
        """Records between position and high watermark, by topic that partitions are owned of."""
        sums: defaultdict[str, int] = defaultdict(int)
        for (topic, _), records in self._series["consumer_lag_records"].items():
            sums[topic] += int(records)
        return sums

    def lag(self, topic: str, partition: int, records: int) -> None:
        """Set how many records lie between the position and the high watermark."""
        self._series["consumer_lag_records"][topic, str(partition)] = records

    def lag_seconds(self, topic: str, seconds: float) -> None:
        """Set the age of the last record processed."""
        self._series["consumer_lag_seconds"][topic,] = seconds

    def forget_partition(self, topic: str, partition: int) -> None:
        """Drop the lag of a revoked partition, and with a topic's last one its age."""
        left = self._series["consumer_lag_records"]
        left.pop((topic, str(partition)), None)
        if not any(key[0] == topic for key in left):
            self._series["consumer_lag_seconds"].pop((topic,), None)

    # The page.

    def render(self, accept: str | None = None) -> tuple[bytes, str]:
        """The page and its content type, at once.

        Args:
            accept: The request's header `Accept`, which may ask for OpenMetrics.
        """
        page = Page(accept, self._registry)
        for _ in self._fill(page):
            pass
        return b"".join(page.chunks()), page.content_type

    async def render_async(
        self, accept: str | None = None, clock: Callable[[], float] = time.monotonic
    ) -> tuple[Iterator[bytes], str]:
        """The same in chunks, giving others a turn every 5 ms however many agents there are."""
        page, since = Page(accept, self._registry), clock()
        for _ in self._fill(page):
            if clock() - since > _TURN_SECONDS:
                await asyncio.sleep(0)
                since = clock()
        return page.chunks(), page.content_type

    def _fill(self, page: Page) -> Iterator[None]:
        for family in FAMILIES:
            series = self._series[family.name]
            page.add_numbers(Form(family.name, series), "", series.values())
        self._latency.write(page, "end_to_end_latency_seconds")
        for scorer in self._scorers:
            self._durations[scorer].write(page, "scorer_duration_seconds", label("scorer", scorer))
            yield
        yield from write_agents(page, self._plan, self._agents)
        if self._board is not None:
            yield from write_board(page, self._board, self._plan, self._agents)


def _new_duration() -> Histogram:
    return Histogram(_DURATION_BOUNDS)

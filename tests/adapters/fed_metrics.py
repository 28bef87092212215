"""Metrics that were told everything, and the pages' parsers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from live_scoring.adapters.metrics import Build, Known, Metrics
from live_scoring.core.pipeline import AgentPlan, Outcome, Plan
from live_scoring.core.score import CheckResult, Score, ScorerKind
from live_scoring.core.scoring import Scorer
from live_scoring.core.transition import Transition, WindowReport
from live_scoring.core.verdict import Gate, Threshold, Verdict, judge
from live_scoring.core.window import Tally, WindowSpec
from tests.builders import SOURCE, run_saying

OPENMETRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"
RULES = (Gate("polite"), Threshold("close", min=0.3, max=0.95))
KNOWN = Known(
    run_topics=("agent-runs",),
    written_topics=("agent-scores", "agent-dead-letters"),
    formats=("run_json", "mastra"),
    dead_letters=(("decode", "not_json"), ("publish", "too_large")),
    webhooks=("pager",),
)

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@dataclass
class FakeBoard:
    """A board that says what the test wrote on it."""

    windows: list[WindowReport] = field(default_factory=list)
    judged: dict[str, float] = field(default_factory=dict)

    def reports(self) -> Iterable[WindowReport]:
        return self.windows

    def judged_at_seconds(self) -> Mapping[str, float]:
        return self.judged

    def complete(self) -> Mapping[str, bool]:
        return {"5m": True} if self.windows else {}

    def rebuilding(self) -> Mapping[int, bool]:
        return {3: False} if self.windows else {}


def scorer(name: str, kind: ScorerKind = "scorer") -> Scorer:
    """A scorer that is always content."""
    return Scorer(name, kind, "check-any", "f" * 12, lambda _: CheckResult.hit())


def plan_of(*patterns: str, scorers: tuple[Scorer, ...] | None = None) -> Plan:
    """A plan that asks each pattern's agents a gate, `polite`, and a scorer, `close`."""
    asked = scorers or (scorer("polite", "gate"), scorer("close"))
    return Plan(tuple(AgentPlan(p, (WindowSpec("5m", 300_000),), asked, RULES) for p in patterns))


def score(name: str, value: float | None, **fields: Any) -> Score:
    """A published score of `agent-1`; None is an error."""
    known: dict[str, Any] = {
        "run_id": "run-1",
        "agent_id": "agent-1",
        "group": "",
        "scorer": name,
        "kind": "gate" if name == "polite" else "scorer",
        "check": "check-any",
        "fingerprint": "f" * 12,
        "outcome": "error" if value is None else "scored",
        "score": value,
        "reason": "",
        "error_type": None,
        "error_message": None,
        "sampling_rate": 1.0,
        "run_timestamp_ms": SOURCE.timestamp_ms,
        "scored_at_ms": SOURCE.timestamp_ms,
        "trace_id": "trace-1",
        "conversation_id": None,
        "source": SOURCE,
    }
    return Score(**(known | fields))


def report(tallies: Mapping[str, Tally], min_samples: int = 1) -> WindowReport:
    """A window of `agent-1` with these tallies, judged by `RULES`."""
    return WindowReport("agent-1", "", "5m", judge(tallies, RULES, min_samples), tallies)


def new_metrics(*patterns: str, has_score_values: bool = False) -> Metrics:
    """Metrics that were told nothing but a plan."""
    metrics = Metrics(KNOWN, Build("1.2.3", "abc123"), has_score_values=has_score_values)
    metrics.expect(plan_of(*patterns))
    return metrics


def fed_metrics() -> Metrics:
    """Metrics with at least one sample of every family."""
    metrics = new_metrics("agent-1", "bot-*", has_score_values=True)
    metrics.reload(ok=True, config_hash="c0ffee", at_seconds=1_793_534_000.5)
    scores = (score("polite", 0.0), score("close", 0.5))
    metrics.run_scored(run_saying("hello"), SOURCE, Outcome(scores), latest_ms=SOURCE.timestamp_ms)
    metrics.published(scores)
    metrics.scorer_seconds("close", 0.0004)
    metrics.latency(0.7, "trace-1")
    metrics.lag("agent-runs", 0, 12)
    metrics.lag_seconds("agent-runs", 1.5)
    metrics.pane_lag(0, 400)
    verdict = Verdict("failed", ())
    metrics.transition(Transition("agent-1", "", "5m", verdict, "passed", 1, 0, 1, "c0ffee"))
    tallies = {"polite": Tally(scored=2, full=1), "close": Tally(scored=1, total=5 * 10**8)}
    metrics.watch(FakeBoard([report(tallies)], {"agent-1": 1_793_534_402.25}))
    return metrics


def parse(body: bytes, content_type: str) -> list[Metric]:
    """A page as the client library's own parser reads it."""
    if content_type.startswith("application/openmetrics"):
        return list(parse_openmetrics(body.decode()))  # type: ignore[no-untyped-call]  # theirs
    return list(parse_text(body.decode()))


def families(metrics: Metrics, accept: str | None = None) -> list[Metric]:
    """The project's own families on the page."""
    body, content_type = metrics.render(accept)
    return [f for f in parse(body, content_type) if f.name.startswith("live_scoring_")]


def samples(metrics: Metrics) -> Samples:
    """Each sample of the page, by name (without prefix) and labels."""
    return {
        (s.name.removeprefix("live_scoring_"), frozenset(s.labels.items())): s.value
        for family in families(metrics)
        for s in family.samples
    }


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    """One sample; None where the page has none."""
    return samples(metrics).get((name, frozenset(labels.items())))

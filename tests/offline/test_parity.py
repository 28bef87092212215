"""The live worker and an evaluation say the same of the same runs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aiokafka.structs import ConsumerRecord

from live_scoring.adapters.kafka import Publisher
from live_scoring.adapters.metrics import Build, Known, Metrics
from live_scoring.config import WorkerConfig
from live_scoring.core.pipeline import Plan
from live_scoring.core.score import Score
from live_scoring.core.wire import to_rfc3339
from live_scoring.formats.score_json import decode_score
from live_scoring.gathering import Gatherer
from live_scoring.live.board import Board, Caps, Share
from live_scoring.live.clock import Clock
from live_scoring.live.intake import Harvest, Intake
from live_scoring.live.services import Services
from live_scoring.telemetry.traces import Bounds
from tests.config.folders import agent_of
from tests.live.intakes import take_all
from tests.offline.folders import evaluated, plan_of, run_line

NOW_MS = 1_793_534_402_000
TOPIC = "agent-runs"
FILES = {
    "worker.yaml": "windows: {1h: {min_samples: 1}}\n",
    "agents/glob.yaml": "agent: other-*\nscorers: {short: {includes: a, threshold: {max: 0.5}}}\n",
} | agent_of(
    gates="{calls: {called_tool: get_weather}, "
    "some: {includes: sun, require: {pass_ratio: 0.6, min_failures: 2}, sampling: 0.5}, "
    "safe: {matches: '^(a+)+$', on_error: ignore, require: {pass_ratio: 0}}}",
    scorers="{close: {similarity: {expected: sunny}, threshold: {min: 0.2, max: 0.9}}, "
    "tracked: {equals: rain, filter: {tags: {env: prod}}}}",
    more="split_by: [env]",
)
TEXTS = ("sun", "sunny", "rain", "", "a" * 40 + "!")


def payloads() -> Iterator[bytes]:
    for index in range(200):
        fields: dict[str, Any] = {"tags": {"env": ("prod", "stage")[index % 2]}}
        if index % 3:
            fields["timestamp"] = to_rfc3339(NOW_MS - 1_000 * index)
        if index % 7 == 0:
            fields["agent_id"] = f"other-{index % 3}"
        tools = ("get_weather",) if index % 11 else ()
        text = TEXTS[4 if index in {20, 21} else index % 4]
        line = run_line(f"run-{index}", text, *tools, **fields)
        yield line
        if index % 10 == 0:
            yield line
            yield line[:-5]
    yield run_line("run-x", agent_id="stranger")
    yield json.dumps({"runId": "m", "entity": {"id": "other-1"}, "output": []}).encode()
    for index in range(10):
        yield from spans_of(index)


def spans_of(index: int) -> Iterator[bytes]:
    """A run in three spans of Mastra's, each a line."""
    called = {"type": "tool_call", "entityName": "get_weather", "parentSpanId": "a"}
    said = {
        "type": "agent_run",
        "entityId": f"other-{index % 2}",
        "metadata": {"runId": f"s{index}"},
    }
    for span_id, told in (("b", called), ("c", called), ("a", said | {"output": {"text": "a"}})):
        ids = {"id": span_id, "traceId": f"trace-{index}", "name": span_id}
        times = {"startTime": NOW_MS - 2_000, "endTime": NOW_MS - 1_000}
        yield json.dumps(ids | times | told).encode()


def test_runs_that_come_in_spans_are_among_them(tmp_path: Path) -> None:
    runs = {score.run_id for score in live_scores(plan_of(tmp_path, FILES))}
    assert runs >= {f"s{index}" for index in range(10)}


def live_scores(plan: Plan) -> list[Score]:
    config = WorkerConfig()
    services = Services(
        config,
        Publisher(config.kafka, lambda _topic: None),
        Metrics(Known((), (), (), ()), Build("0", "0")),
        Clock(now_ms=lambda: NOW_MS),
    )
    intake, harvest = Intake(services, plan, 1, 1), Harvest()
    intake.gatherer = Gatherer()
    for offset, payload in enumerate(payloads()):
        record = ConsumerRecord(
            TOPIC, 0, offset, NOW_MS, 0, None, payload, None, -1, len(payload), ()
        )
        take_all(intake, intake.gather(record), harvest)
    take_all(intake, intake.gatherer.close_due((TOPIC, 0), Bounds().grace_ms), harvest)
    decoded = [decode_score(record.value) for record in harvest.score_records]
    return [score for score in decoded if isinstance(score, Score)]


def test_live_windows_and_an_evaluation_are_equal(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, FILES)
    board = Board(plan, Caps(100, 100, 1), lambda _: 0, NOW_MS)
    board.take(0, Share(0, is_rebuilding=False), ())
    for score in live_scores(plan):
        board.add(0, score)
    list(board.judge(NOW_MS))
    live = {(r.agent_id, r.group): (r.verdict, dict(r.tallies or {})) for r in board.reports()}
    offline = {
        (a.agent_id, a.group): (
            a.verdict,
            {s.scorer.name: s.tally for s in a.scorers if s.tally.scored + s.tally.errors},
            [s.result for s in a.scorers if s.result],
        )
        for a in evaluated(plan, payloads()).agents
    }
    assert live.keys() == offline.keys()
    for key, (verdict, tallies) in live.items():
        assert verdict is not None
        assert offline[key] == (verdict.state, tallies, list(verdict.results)), key
    assert {"prod", "stage", ""} == {group for _, group in offline}
    assert {state for state, _, _ in offline.values()} > {"failed"}

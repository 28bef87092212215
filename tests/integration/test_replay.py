"""Replays of topics beside the live worker: they say what it says, and touch nothing of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

from live_scoring.adapters.files import Part
from live_scoring.config import load_config
from live_scoring.core.pipeline import Plan
from live_scoring.core.score import Score
from live_scoring.core.timeline import Timeline
from live_scoring.core.window import Tally
from live_scoring.formats import DEFAULT_LIMITS
from live_scoring.formats.score_json import decode_score
from live_scoring.offline.evaluate import evaluate
from live_scoring.offline.gather import Reading
from live_scoring.wiring import build_plan
from tests.integration.exactness import assert_exact
from tests.integration.fleet import configuration, make_fleet
from tests.integration.lab import Lab
from tests.integration.replays import replay, scores_in, told_by
from tests.integration.runs import now_ms
from tests.integration.score_server import serve_scores
from tests.integration.test_outside import committed, configure, ids, runs
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration

COUNTED = (
    "runs_consumed_total",
    "runs_duplicate_total",
    "dead_letters_total",
    "scorer_outcomes_total",
    "scores_published_total",
    "scores_ignored_total",
    "gate_runs_total",
    "verdict_transitions_total",
    "window_samples",
    "window_errors",
)

Tallies = dict[tuple[str, str], tuple[int, int, int, int]]
"""What a window counted, by agent and scorer."""


def test_live_replay_and_eval_say_the_same_and_a_replay_leaves_the_worker_alone(
    lab: Lab, tmp_path: Path
) -> None:
    lab.configure(*configuration())
    fleet, out = make_fleet(now_ms()), tmp_path / "out.jsonl"
    lab.send(fleet.records)
    worker = lab.start_worker()
    assert_exact(lab, [worker], fleet, now_ms())
    before = committed(lab), figures_of(worker)
    ended = replay(lab, "--to-file", out, "--json")
    assert (committed(lab), figures_of(worker)) == before
    assert ended.summary["records"] == len(fleet.records)
    live, replayed = lab.read_json(lab.scores), scores_in(out)
    assert by_score(replayed) == by_score(live)
    assert {score["replay"] for score in replayed} == {lab.runs}

    plan = build_plan(load_config(lab.config, {}))
    in_windows = tallies_of(plan, read_scores(out))
    assert in_windows == tallies_of(plan, map(decoded, live))
    payloads = (record.value or b"" for record in lab.read(lab.runs))
    assert in_windows == evaluated(plan, payloads)


def figures_of(worker: Worker) -> dict[str, list[tuple[Mapping[str, str], float]]]:
    figures = worker.figures()
    return {name: figures.having(name) for name in COUNTED}


def by_score(scores: Iterable[dict[str, Any]]) -> Counter[bytes]:
    return Counter(orjson.dumps(told_by(score)) for score in scores)


def decoded(record: Mapping[str, Any]) -> Score:
    score = decode_score(orjson.dumps(record))
    assert isinstance(score, Score)
    return score


def read_scores(path: Path) -> Iterator[Score]:
    return map(decoded, scores_in(path))


def tallies_of(plan: Plan, scores: Iterable[Score]) -> Tallies:
    """What the windows of a swept past hold now."""
    timeline, now = Timeline(plan), now_ms()
    for score in scores:
        timeline.add(score)
    return {
        (history.agent_id, scorer): as_numbers(tally)
        for history in timeline.sweep(now, now)
        for stretch in history.stretches
        for scorer, tally in stretch.tallies.items()
    }


def evaluated(plan: Plan, payloads: Iterable[bytes]) -> Tallies:
    """What the one window of an evaluation holds."""
    lines = (Part(number, payload) for number, payload in enumerate(payloads, start=1))
    evaluation = evaluate(lines, Reading("runs", None, DEFAULT_LIMITS), plan)
    return {
        (agent.agent_id, report.scorer.name): as_numbers(report.tally)
        for agent in evaluation.agents
        for report in agent.scorers
    }


def as_numbers(tally: Tally) -> tuple[int, int, int, int]:
    return tally.scored, tally.full, tally.total, tally.errors


def test_without_another_place_scores_go_to_a_topic_that_is_keyed_as_the_live_one(
    lab: Lab,
) -> None:
    lab.configure(*configuration())
    fleet = make_fleet(now_ms(), runs=600)
    lab.send(fleet.records)
    assert_exact(lab, [lab.start_worker()], fleet, now_ms())
    assert replay(lab, "--name", "again").exit_code == 0
    live, replayed = lab.read(lab.scores), lab.read(f"{lab.scores}-replay")
    places = [{(record.key, record.partition) for record in topic} for topic in (live, replayed)]
    assert places[0] == places[1]
    assert {orjson.loads(record.value)["replay"] for record in replayed} == {"again"}
    assert len(replayed) == len(live)


def test_scorers_that_call_out_are_asked_about_the_past_too(lab: Lab, tmp_path: Path) -> None:
    with serve_scores() as server:
        configure(lab, server, concurrency=20, budget_per_minute=30)
        lab.send(runs(40))
        ended = replay(lab, "--to-file", tmp_path / "out.jsonl", "--json")
    scores = scores_in(tmp_path / "out.jsonl")
    assert {score["run_id"] for score in scores if score["scorer"] == "inline"} == ids(40)
    assert len([score for score in scores if score["scorer"] == "own"]) == len(server.asked) == 30
    assert ended.summary["over_budget"] == 10

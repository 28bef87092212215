"""Every query of every dashboard has an answer of a real Prometheus on real, busy workers."""

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from live_scoring.adapters.embedded_broker import EmbeddedBroker
from tests.deploy.dashboards import NAMES, panels, read
from tests.integration.lab import Lab
from tests.integration.prometheus import Prometheus, Series, make_blocks, program, serving
from tests.integration.replays import replay
from tests.integration.runs import native_run, now_ms
from tests.integration.topics import Sending
from tests.integration.waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("dashboards")]

AGENT = "broken"
PAST_MS, PAST_RUNS, SPACING_MS = 3 * 3_600_000, 60, 10_000
SCRAPED = {"instance", "job", "pod"}
EVERYTHING: Mapping[str, str] = {"job": ".*", "agent": ".*", "group": ".*", "window": ".*"}
VARIABLES: Mapping[str, Mapping[str, str]] = {
    "fleet.json": EVERYTHING,
    "agent.json": {**EVERYTHING, "agent": AGENT, "window": "5m", "scorer": "close"},
    "worker.json": {"job": ".*"},
    "replay.json": {**EVERYTHING, "replay": "past"},
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as Grafana would send it."""

    where: str
    expr: str
    is_instant: bool


def filled(expr: str, values: Mapping[str, str]) -> str:
    """A query of a dashboard with its variables filled in."""
    times = {"__rate_interval": "15s", "__range": "30m", "__interval": "15s"}
    values = {**times, **values}
    return re.sub(r"\$([a-z_]+)", lambda found: values[found[1]], expr)


def asked_by(name: str) -> Iterator[Asked]:
    """All that a dashboard asks, but for its variables."""
    dashboard = read(name)
    for panel in panels(dashboard):
        for target in panel["targets"]:
            where = f"{name}: {panel['title']}: {target['refId']}"
            yield Asked(where, filled(target["expr"], VARIABLES[name]), target["instant"])
    for marks in dashboard.get("annotations", {}).get("list", []):
        yield Asked(
            f"{name}: {marks['name']}",
            filled(marks["expr"], VARIABLES["replay.json"]),
            is_instant=False,
        )


def agents() -> list[dict[str, Any]]:
    """One that will fail, one that will miss a threshold, one that stays well, one without runs."""
    says_ok = {"says-ok": {"includes": "ok"}}
    mostly_ok = {"mostly-ok": {"includes": "ok", "require": {"pass_ratio": 0.5}}}
    close = {"close": {"similarity": "ok", "threshold": {"min": 0.2, "max": 0.99}}}
    errs = {"errs": {"use": "tests.own_scorers:refuses_runs"}}
    return [
        {
            "agent": AGENT,
            "split_by": ["environment"],
            "gates": says_ok | mostly_ok,
            "scorers": close | errs,
        },
        {"agent": "sloppy", "scorers": {"kind": {"includes": "please", "threshold": 0.9}}},
        {"agent": "careful", "gates": says_ok},
        {"agent": "quiet", "gates": says_ok},
    ]


def runs_of(number: int, *, is_well: bool, **fields: Any) -> list[Sending]:
    """A run of each agent that has any, as it behaves while all is well and later."""
    text = "ok please" if is_well else "no"
    environment = {"environment": "prod" if number % 2 else "dev"}
    name = f"{'well' if is_well else 'ill'}-{number}-{fields.get('timestamp', 'now')}"
    return [
        native_run(name, AGENT, text, tags=environment, trace_id=f"{number + 1:032x}", **fields),
        native_run(name, "sloppy", text, **fields),
        native_run(name, "careful", "ok", **fields),
        native_run(name, "nobody", "ok", **fields),
        Sending(b"{", number % 2),
    ]


@pytest.fixture(scope="module")
def lab(broker: EmbeddedBroker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    made = Lab(broker.address, "dashboards", tmp_path_factory.mktemp("lab"))
    made.configure(
        *agents(),
        windows={"5m": {"min_samples": 1}, "15m": {"min_samples": 1}},
        notify={"nobody": {"url": "http://127.0.0.1:9"}},
    )
    yield made
    made.close()


@pytest.fixture(scope="module")
def past(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with what a replay makes of ten minutes, three hours ago."""
    program("promtool")
    begin, text = now_ms() - PAST_MS, tmp_path_factory.mktemp("replay") / "past.om"
    times = [(number, begin + number * SPACING_MS) for number in range(PAST_RUNS)]
    lab.send(
        replace(run, timestamp_ms=at_ms)
        for number, at_ms in times
        for run in runs_of(number, is_well=number < PAST_RUNS // 2, timestamp=at_ms)
    )
    ended = replay(lab, "--name", "past", "--to-openmetrics", text)
    assert ended.exit_code == 0, ended.said
    data = tmp_path_factory.mktemp("data")
    make_blocks(text, data)
    return data


@pytest.fixture(scope="module")
def prometheus(
    lab: Lab, past: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Prometheus]:
    """One that scrapes two workers with pod labels, from before their first run of today."""
    workers = [lab.start_worker(), lab.start_worker()]
    targets = [
        {"targets": [worker.address], "labels": {"pod": f"worker-{number}"}}
        for number, worker in enumerate(workers)
    ]
    config = {
        "global": {"scrape_interval": "1s"},
        "scrape_configs": [{"job_name": "live-scoring", "static_configs": targets}],
    }
    for worker in workers:
        worker.wait_ready()
    folder = tmp_path_factory.mktemp("prometheus")
    with serving(folder, past, config, "--enable-feature=exemplar-storage") as server:
        wait_until("all is well", lambda: is_well(lab, server))
        yield server


def is_well(lab: Lab, server: Prometheus) -> bool:
    """Whether every agent with runs has been seen without a fault; sends some more."""
    lab.send(runs_of(time.time_ns(), is_well=True))
    passed = server.at('live_scoring_verdict_state{verdict="passed", replay=""} == 1', time.time())
    return {AGENT, "sloppy", "careful"} <= {series.labels["agent"] for series in passed}


def answer(server: Prometheus, asked: Asked) -> list[Series]:
    """What a panel would show: of replays all the time since the one that was replayed."""
    end = time.time()
    then = end - PAST_MS / 1000
    if not asked.is_instant:
        start = then if asked.where.startswith("replay") else end - 300
        return server.over(asked.expr, start, end, step=15)
    is_past = asked.where.startswith("replay")
    return server.at(asked.expr, then + PAST_RUNS * SPACING_MS / 1000 if is_past else end)


@pytest.fixture(scope="module")
def answers(lab: Lab, prometheus: Prometheus) -> Mapping[str, list[Series]]:
    """By where it was asked, the first answer with data; traffic goes on until all have one."""
    waiting = {asked.where: asked for name in NAMES for asked in asked_by(name)}
    found: dict[str, list[Series]] = {}

    def all_answered() -> bool:
        lab.send(runs_of(time.time_ns(), is_well=False) * 2)
        for where, asked in list(waiting.items()):
            if series := answer(prometheus, asked):
                found[where] = series
                del waiting[where]
        return not waiting

    try:
        wait_until("every query has an answer", all_answered)
    except TimeoutError:
        pytest.fail(f"no answer: {[*waiting.values()]}")
    return found


def test_no_answer_tells_workers_apart(answers: Mapping[str, list[Series]]) -> None:
    for where, series in answers.items():
        assert not [one for one in series if SCRAPED & set(one.labels)], where


def test_a_stat_shows_one_figure(answers: Mapping[str, list[Series]]) -> None:
    stats = [
        f"{name}: {panel['title']}: A"
        for name in NAMES
        for panel in panels(read(name))
        if panel["type"] == "stat"
    ]
    assert {where: len(answers[where]) for where in stats} == dict.fromkeys(stats, 1)


def test_tables_name_what_fails(answers: Mapping[str, list[Series]]) -> None:
    verdicts = {(one.labels["agent"], one.values[0]) for one in answers["fleet.json: Verdicts: A"]}
    assert {("careful", 0), ("quiet", -1)} <= verdicts
    gates, thresholds = (
        {one.labels["rule"] for one in answers[f"fleet.json: Failing rules: {ref}"]} for ref in "AB"
    )
    assert "says-ok" in gates
    assert thresholds <= {"close", "kind"}


def test_queries_with_exemplars_find_traces(
    prometheus: Prometheus, answers: Mapping[str, list[Series]]
) -> None:
    assert answers  # runs have failed by now
    asking = [
        filled(target["expr"], VARIABLES[name])
        for name in NAMES
        for panel in panels(read(name))
        for target in panel["targets"]
        if target.get("exemplar")
    ]
    now = time.time()
    found = [prometheus.exemplars(expr, now - 300, now) for expr in asking]
    assert len(found) == 2
    assert all("trace_id" in labels for each in found for labels in each)
    assert all(found)


def test_variables_have_values(prometheus: Prometheus, answers: Mapping[str, list[Series]]) -> None:
    assert answers  # all has been seen by now
    found = {
        (name, variable["name"]): values_of(prometheus, name, variable)
        for name in NAMES
        for variable in read(name)["templating"]["list"]
        if variable["type"] == "query" and variable["name"] != "job"
    }
    everyone, groups, windows = (
        {AGENT, "sloppy", "careful", "quiet"},
        {"dev", "prod"},
        {"5m", "15m"},
    )
    assert found == {
        ("fleet.json", "agent"): everyone,
        ("fleet.json", "group"): groups,
        ("fleet.json", "window"): windows,
        ("agent.json", "agent"): everyone,
        ("agent.json", "window"): windows,
        ("agent.json", "group"): groups,
        ("agent.json", "scorer"): {"close"},
        ("replay.json", "replay"): {"past"},
        ("replay.json", "agent"): everyone - {"quiet"},
        ("replay.json", "group"): groups,
        ("replay.json", "window"): windows,
    }


def values_of(prometheus: Prometheus, name: str, variable: Mapping[str, Any]) -> set[str]:
    query = filled(variable["query"]["query"], VARIABLES[name])
    function, inner = re.fullmatch(r"(\w+)\((.*)\)", query, re.DOTALL).groups()  # type: ignore[union-attr] # it matches
    if function == "query_result":
        return {one.labels["scorer"] for one in prometheus.at(inner, time.time())}
    selector, _, label = inner.rpartition(", ")
    return set(prometheus.values_of(label, selector))

"""What real libraries emitted becomes the runs that took place, and scores as they went.

`tests/recording` tells how the payloads came about.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from live_scoring.config import load_config
from live_scoring.core.batch import process
from live_scoring.core.pipeline import Plan
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure, Source
from live_scoring.dialects import read_trace
from live_scoring.formats import Decoded, decode
from live_scoring.telemetry.envelope import Envelope
from live_scoring.wiring import build_plan
from tests.config.folders import write_folder

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
GOLDEN = Path(__file__).parents[1] / "golden"
TEAMS = sorted(path.name for path in GOLDEN.glob("recorded-team-*"))
"""Several agents in one trace."""
CASES = sorted({path.name for path in GOLDEN.glob("recorded-*")} - {*TEAMS})
IS_SILENT = "recorded-openai-agents-responses-"
"""The SDK's traces of the Responses API leave out what was asked and said, not what was called."""
AGENT = """\
agent: weather*
gates:
  calls-weather: {called_tool: get_weather}
  no-errors: no_tool_errors
scorers:
  in-order: {tool_order: [get_weather, pack_bag]}
  says-city: {matches: Lisbon|Porto|Atlantis}
"""
SCORES = {
    "success": {"calls-weather": 1, "no-errors": 1, "in-order": 0, "says-city": 1},
    "failed-tool": {"calls-weather": 1, "no-errors": 0, "in-order": 0, "says-city": 1},
    "parallel": {"calls-weather": 1, "no-errors": 0, "in-order": 0, "says-city": 1},
    "crash": {"calls-weather": 1, "no-errors": 0, "in-order": 0, "says-city": 0},
    "unfinished": {"calls-weather": 0, "no-errors": 0, "in-order": 0, "says-city": 0},
    "several-turns": {"calls-weather": 1, "no-errors": 1, "in-order": 1, "says-city": 1},
}
FAILED = {"failed-tool", "parallel"}
HAS_NO_FLAG = ("recorded-openai-responses-items-", "recorded-opentelemetry-logs-")
"""A failed tool looks like one that returned a text: the format has no place to say it failed."""
ENDED_UNANSWERED = {
    "recorded-google-adk-spans-unfinished",
    "recorded-openinference-agents-unfinished",
}
"""A call that waits for a person's word looks like one that returned: its span has ended well."""
SOURCE = Source("runs", 0, 0, 1_800_000_000_000)


@cache
def read(case: str) -> tuple[str, Sequence[AgentRun] | Failure]:
    folder = GOLDEN / case
    (payload,) = (path.read_bytes() for path in folder.glob("input.*"))
    told = expected(case).get("envelope", {})
    headers = [("run-id", told["run_id"].encode())] if "run_id" in told else []
    answer = decode(payload, envelope=Envelope(headers=headers, agent_id=told.get("agent_id")))
    assert not isinstance(answer, Failure), answer
    if isinstance(answer, Decoded):
        return answer.format_name, [answer.run]
    runs = read_trace(answer.spans)
    assert runs == read_trace(answer.spans[::-1]), "the order in which spans came changed them"
    return answer.format_name, runs


def expected(case: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((GOLDEN / case / "expected.json").read_text())
    return told


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = write_folder(tmp_path_factory.mktemp("config"), {"agents/weather.yaml": AGENT})
    return build_plan(load_config(folder, {}))


@pytest.mark.parametrize("case", [*CASES, *TEAMS])
def test_a_recorded_payload_becomes_the_runs_that_took_place(case: str) -> None:
    format_name, runs = read(case)
    told = expected(case)
    assert format_name == told["format"]
    assert not isinstance(runs, Failure), runs
    wanted = [AgentRun.model_validate(run) for run in told.get("runs") or [told["run"]]]
    fields = wanted[0].model_fields_set
    assert [run.model_dump(include=fields) for run in runs] == [
        run.model_dump(include=fields) for run in wanted
    ]


@pytest.mark.parametrize("case", CASES)
def test_a_recorded_run_scores_as_it_went(case: str, plan: Plan) -> None:
    scenario = next(name for name in SCORES if case.endswith(name))
    has_hidden = scenario in FAILED and case.startswith(HAS_NO_FLAG)
    unseen: dict[str, int | None] = {}
    if has_hidden or case in ENDED_UNANSWERED:
        unseen["no-errors"] = 1
    if case.startswith(IS_SILENT):
        unseen["says-city"] = None
    _, runs = read(case)
    assert not isinstance(runs, Failure), runs
    (run,) = runs
    scores = process(run, SOURCE, plan, now_ms=SOURCE.timestamp_ms).scores
    assert {score.scorer: score.score for score in scores} == SCORES[scenario] | unseen


def test_the_readme_names_each_recorded_library_and_its_version() -> None:
    paths = (GOLDEN / case / "source.json" for case in (*CASES, *TEAMS))
    sources = [json.loads(path.read_text()) for path in paths]
    assert all(source["recorded"] for source in sources)
    named = re.findall(r"^\| `([\w@/-]+)`(?: \(\w+\))? (\d[\w.]+) \|", README, re.MULTILINE)
    assert set(named) == {(source["library"], source["version"]) for source in sources}

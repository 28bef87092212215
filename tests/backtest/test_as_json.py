"""A backtest as JSON: the whole record, counted by hand."""

from pathlib import Path
from typing import Any

from live_scoring.backtest.as_json import to_record
from tests.backtest.pasts import policy, run, tried


def record_of(folder: Path, *runs: dict[str, Any], old: Path | None = None) -> dict[str, Any]:
    return to_record(tried(folder, runs, policy(folder / "new"), old))


def test_one_policy(tmp_path: Path) -> None:
    record = record_of(tmp_path, run(0), run(10, "none"))
    assert record == {
        "source": (tmp_path / "runs.jsonl").as_posix(),
        "config": (tmp_path / "new").as_posix(),
        "against": None,
        "from": "2026-11-01T00:00:00.000Z",
        "to": "2026-11-01T00:00:10.000Z",
        "agents": [
            {
                "agent_id": "weather-agent",
                "group": "",
                "runs": 2,
                "new": {
                    "windows": {"1m": window()},
                    "into_failed": 1,
                    "critical_failures": {},
                    "scores": 2,
                    "sampling": {
                        "called-weather": {
                            "rate": 1.0,
                            "scores": 2,
                            "at_rates": {"1": 2, "0.5": 1, "0.1": 0, "0.01": 0},
                        }
                    },
                },
            }
        ],
        "notes": [],
    }


def window() -> dict[str, Any]:
    return {
        "verdict": "failed",
        "shares": {"passed": 5 / 6, "scored": 0, "failed": 1 / 6, "no_data": 0},
        "pane_ends": 6,
        "pane_seconds": 2.0,
        "into_failed": 1,
        "transitions": [
            {
                "at": "2026-11-01T00:00:01.999Z",
                "previous": "no_data",
                "verdict": "passed",
                "rules": [],
            },
            {
                "at": "2026-11-01T00:00:11.999Z",
                "previous": "passed",
                "verdict": "failed",
                "rules": [
                    {
                        "name": "called-weather",
                        "status": "failed",
                        "samples": 2,
                        "failures": 1,
                        "errors": 0,
                        "average": 0.5,
                        "cause": "score",
                        "examples": [
                            {
                                "run_id": "run-10",
                                "trace_id": None,
                                "score": 0.0,
                                "reason": "called get_weather 0 times, expected at least 1; "
                                "called: none",
                                "run_timestamp": "2026-11-01T00:00:10.000Z",
                            }
                        ],
                    }
                ],
            },
        ],
        "never_green": {},
    }


def test_two_policies(tmp_path: Path) -> None:
    old = policy(tmp_path / "old", "{called-weather: {called_tool: other}, gone: no_tool_errors}")
    (agent,) = record_of(tmp_path, run(0, "none"), run(1), old=old)["agents"]
    assert agent["old"]["into_failed"] == 1
    assert agent["rules"] == {"added": (), "removed": ("gone",), "changed": ("called-weather",)}
    (flips,) = agent["flips"]
    assert (flips["rule"], flips["would_fail"], flips["would_pass"]) == ("called-weather", 0, 1)
    assert [example["run_id"] for example in flips["would_pass_examples"]] == ["run-1"]
    ratios = {"pass_ratio_always": 0.5, "pass_ratio_ever": 0.5}
    assert agent["new"]["windows"]["1m"]["never_green"] == {"called-weather": ratios}


def test_a_past_without_runs(tmp_path: Path) -> None:
    record = record_of(tmp_path)
    assert (record["from"], record["to"], record["agents"]) == (None, None, [])

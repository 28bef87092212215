"""A backtest on a terminal: everything that is asked, in a few lines."""

from pathlib import Path

from live_scoring.backtest.as_text import to_text
from tests.backtest.pasts import BEGIN_MS, policy, run, tried


def text_of(folder: Path, *runs: dict[str, object], is_compared: bool = False) -> str:
    new = policy(folder / "new", "{called-weather: {called_tool: get_weather, critical: true}}")
    old = policy(folder / "old", "{called-weather: {called_tool: other}}") if is_compared else None
    found = tried(folder, runs, new, old)
    return "\n".join(to_text(found, is_coloured=False)).replace(f"{folder.as_posix()}/", "")


def test_one_policy(tmp_path: Path) -> None:
    assert text_of(tmp_path, run(0), run(10, "none"), run(90)) == (
        """\
runs.jsonl: 2026-11-01 00:00:00Z to 2026-11-01 00:01:30Z, new

weather-agent: 3 runs
  window  passed  scored  failed  no_data  changes  into failed  at the end
  1m       13.0%      0%   65.2%    21.7%        4            1      passed
  became failed 1 time, 1 run failed the critical gate called-weather
  2026-11-01 00:00:02Z 1m: no_data → passed: enough samples
  2026-11-01 00:00:12Z 1m: passed → failed: called-weather: 1 of 2 runs did not pass
      run-10: called get_weather 0 times, expected at least 1; called: none
  2026-11-01 00:01:12Z 1m: failed → no_data: called-weather: too few samples, 0
  2026-11-01 00:01:32Z 1m: no_data → passed: enough samples
  scores written  rate  now  at 1  at 0.5  at 0.1  at 0.01
  called-weather  1       3     3       1       0        0"""
    )


def test_two_policies(tmp_path: Path) -> None:
    assert text_of(tmp_path, run(0), run(0.5, "none"), is_compared=True) == (
        """\
runs.jsonl: 2026-11-01 00:00:00Z to 2026-11-01 00:00:00Z, new against old

weather-agent: 2 runs
  window  policy  passed  scored  failed  no_data  changes  into failed  at the end
  1m      new         0%      0%    100%       0%        1            1      failed
  1m      old         0%      0%    100%       0%        1            1      failed
  became failed 1 time, 1 run failed the critical gate called-weather
  old policy: became failed 1 time
  rules changed: called-weather
  2026-11-01 00:00:02Z 1m: no_data → failed: called-weather: 1 of 2 runs did not pass
      run-0.5: called get_weather 0 times, expected at least 1; called: none
  1m: called-weather was never green; with pass_ratio 0.5 it would always have been, \
above that never
  flips: called-weather: 1 run failed and would pass
      run-0: called other 0 times, expected at least 1; called: get_weather
  scores written: 2, old 2
  scores written  rate  now  at 1  at 0.5  at 0.1  at 0.01
  called-weather  1       2     2       1       0        0"""
    )


def test_of_many_changes_those_into_failed_are_shown(tmp_path: Path) -> None:
    cycle = [run(second * 70, "none" if second % 4 == 3 else "get_weather") for second in range(40)]
    text = text_of(tmp_path, *cycle)
    shown = [line for line in text.splitlines() if " → " in line]
    assert len(shown) == 10
    assert all("→ failed" in line for line in shown)
    assert "  1m: 69 more changes" in text


def test_what_comes_from_runs_cannot_act_on_a_terminal(tmp_path: Path) -> None:
    odd = "\x1b[31mrun\n"
    text = text_of(tmp_path, run(0, "none", run_id=odd), run(0, agent_id="[red]x"))
    assert "\\x1b[31mrun\\n: called get_weather" in text
    assert "\x1b" not in text


def test_a_run_that_failed_without_a_reason_is_named_alone(tmp_path: Path) -> None:
    own = policy(tmp_path / "own", "{own: {use: 'tests.own_scorers:greets'}}")
    found = tried(tmp_path, [run(0)], own)
    assert "      run-0" in list(to_text(found, is_coloured=False))


def test_without_a_run_there_is_no_range(tmp_path: Path) -> None:
    assert text_of(tmp_path) == "runs.jsonl: no run was read, new"
    assert BEGIN_MS % 86_400_000 == 0

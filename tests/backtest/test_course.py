"""A window's course, counted by hand: a minute is 30 panes of two seconds."""

from pathlib import Path

from live_scoring.backtest.course import Course, RatioAdvice, Spell
from tests.backtest.pasts import BEGIN_MS, PANE_MS, policy, run, tried


def end(pane: int) -> int:
    """The last millisecond of a pane of the minute's window."""
    return BEGIN_MS + (pane + 1) * PANE_MS - 1


def course_of(folder: Path, *runs: dict[str, object], **rules: object) -> Course:
    (agent,) = tried(folder, runs, policy(folder / "new", **rules)).agents  # type: ignore[arg-type]
    return agent.new.courses["1m"]


def test_spells_follow_from_the_first_pane_end_to_the_last(tmp_path: Path) -> None:
    course = course_of(tmp_path, run(0), run(10, "none"), run(90))
    assert course.spells == (
        Spell("passed", end(0), 5),
        Spell("failed", end(5), 30),
        Spell("no_data", end(35), 10),
        Spell("passed", end(45), 1),
    )
    assert course.ends == 46
    assert course.shares == {
        "passed": 6 / 46,
        "scored": 0,
        "failed": 30 / 46,
        "no_data": 10 / 46,
    }
    assert (course.into_failed, course.last) == (1, "passed")


def test_a_change_names_the_rule_behind_it_and_the_newest_runs(tmp_path: Path) -> None:
    failing = [run(second, "other") for second in (10, 10.5, 11, 11.5)]
    course = course_of(tmp_path, run(0), *failing, run(90))
    first, into_failed, emptied, again = course.changes
    assert (into_failed.at_ms, into_failed.previous, into_failed.state) == (
        end(5),
        "passed",
        "failed",
    )
    (blame,) = into_failed.blames
    assert (blame.result.rule.name, blame.result.failures) == ("called-weather", 4)
    assert [example.run_id for example in blame.examples] == ["run-11.5", "run-11", "run-10.5"]
    assert blame.examples[0].reason.startswith("called get_weather 0 times")
    assert (first.previous, first.state, first.blames) == ("no_data", "passed", ())
    assert [blame.result.status for blame in emptied.blames] == ["insufficient"]
    assert again.blames == ()


def test_only_runs_that_are_in_the_window_are_named(tmp_path: Path) -> None:
    gates = "{called-weather: {called_tool: get_weather, require: {pass_ratio: 0.5}}}"
    course = course_of(
        tmp_path, run(0, "none"), run(70), run(80, "none"), run(81, "none"), gates=gates
    )
    examples = [[e.run_id for b in change.blames for e in b.examples] for change in course.changes]
    assert examples == [["run-0"], [], [], ["run-81", "run-80"]]


def test_a_threshold_may_be_behind_a_change(tmp_path: Path) -> None:
    scorers = "{tool: {called_tool: get_weather, threshold: 0.6}}"
    course = course_of(tmp_path, run(0), run(10, "none"), gates="{}", scorers=scorers)
    assert [change.state for change in course.changes] == ["passed", "scored"]
    (blame,) = course.changes[-1].blames
    assert (blame.result.average, [e.run_id for e in blame.examples]) == (0.5, ["run-10"])


def test_a_gate_that_was_never_green_is_told_the_ratio_that_would_have_been(tmp_path: Path) -> None:
    runs = [run(0, "none"), run(1), run(10), run(20, "none"), run(30, "none")]
    course = course_of(tmp_path, *runs)
    # At the pane ends: 1 of 2, then 2 of 3, 2 of 4 and 2 of 5 pass.
    assert course.advice == (RatioAdvice("called-weather", 0.4, 0.6666),)


def test_the_advice_holds(tmp_path: Path) -> None:
    runs = [run(0, "none"), run(1), run(10), run(20, "none"), run(30, "none")]
    for ratio, is_ever_failed, is_ever_passed in (
        (0.4, False, True),
        (0.6666, True, True),
        (0.6667, True, False),
    ):
        gates = (
            f"{{called-weather: {{called_tool: get_weather, require: {{pass_ratio: {ratio}}}}}}}"
        )
        shares = course_of(tmp_path, *runs, gates=gates).shares
        assert (shares["failed"] > 0, shares["passed"] > 0) == (is_ever_failed, is_ever_passed)


def test_a_gate_that_was_green_or_never_had_enough_runs_needs_no_advice(
    tmp_path: Path,
) -> None:
    assert course_of(tmp_path, run(0), run(10, "none")).advice == ()
    assert course_of(tmp_path, run(0, "none"), min_samples=2).advice == ()


def test_nothing_helps_a_gate_that_no_run_passes(tmp_path: Path) -> None:
    assert course_of(tmp_path, run(0, "none")).advice == (RatioAdvice("called-weather", 0, 0),)

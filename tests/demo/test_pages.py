from live_scoring.demo.pages import read_figures, view_of

PAGE = """\
# HELP live_scoring_runs_consumed_total Runs decoded
live_scoring_runs_consumed_total{topic="agent-runs",format="run_json"} 12.0
live_scoring_dead_letters_total{stage="decode",reason="not_json"} 2.0
live_scoring_dead_letters_total{stage="decode",reason="empty"} 1.0
live_scoring_scorer_outcomes_total{agent="a",scorer="x",outcome="scored"} 7.0
live_scoring_scorer_outcomes_total{agent="a",scorer="x",outcome="error"} 1.0
live_scoring_scorer_outcomes_total{agent="a",scorer="y",outcome="scored"} 3.0
live_scoring_scores_published_total{agent="a",scorer="x"} 8.0
live_scoring_window_samples{agent="a",group="",window="3s",scorer="x"} 5.0
live_scoring_window_score_average{agent="a",group="",window="3s",scorer="x"} 0.5
"""


def test_figures_add_up_what_the_metrics_page_counts() -> None:
    figures = read_figures(PAGE)
    assert (figures.consumed, figures.published, figures.dead_letters) == (12, 8, 3)


def test_an_agents_figures_are_those_of_its_busiest_scorer() -> None:
    figures = read_figures(PAGE)
    assert (figures.runs, figures.samples) == ({"a": 8}, {"a": 5})


def test_a_verdict_shows_its_first_failing_rule_with_the_reason_of_an_example() -> None:
    fine = {"name": "fine", "status": "passed", "samples": 9, "failures": 0}
    bad = {"name": "bad", "status": "failed", "samples": 9, "failures": 4}
    record = {"agent_id": "a", "window": "3s", "verdict": "failed", "gates": [fine, bad]}
    explained = bad | {"examples": [{"reason": "1 of 2 calls failed"}]}
    assert view_of(record | {"thresholds": []}).trouble == "bad: 4 of 9 runs"
    assert view_of(record | {"gates": [explained], "thresholds": []}).trouble == (
        "bad: 1 of 2 calls failed"
    )

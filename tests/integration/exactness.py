"""Compares what workers say of a fleet with the plain offline computation."""

from collections import Counter
from collections.abc import Sequence

from tests.integration.fleet import RULES, Fleet
from tests.integration.lab import WINDOW, Lab
from tests.integration.waiting import wait_to_equal
from tests.integration.workers import Figures, Worker
from tests.offline_model import Expected, expect_verdict, expect_windows

_HOUR_MS = 3_600_000


def assert_exact(lab: Lab, workers: Sequence[Worker], fleet: Fleet, now_ms: int) -> None:
    """Every figure, verdict, score and dead letter is what it must be."""
    expected = expect_windows(fleet.facts, _HOUR_MS, now_ms)
    _wait_for(workers, expected)
    pages = [worker.figures() for worker in workers]
    assert _windows(pages) == {
        key: (found.samples, found.errors, found.average) for key, found in expected.items()
    }
    wait_to_equal("verdicts", lambda: _verdicts(workers), _expected_verdicts(expected))
    _assert_scores(lab, fleet)
    assert {record.value for record in lab.read(lab.dead_letters)} == fleet.malformed


def _wait_for(workers: Sequence[Worker], expected: dict[tuple[str, str, str], Expected]) -> None:
    def lag_and_samples() -> tuple[float, float]:
        pages = [worker.figures() for worker in workers]
        lag = sum(page.total("consumer_lag_records") for page in pages)
        return lag, sum(page.total("window_samples") for page in pages)

    samples = sum(found.samples for found in expected.values())
    wait_to_equal("(lag, samples)", lag_and_samples, (0.0, float(samples)))


def _windows(pages: Sequence[Figures]) -> dict[tuple[str, str, str], tuple[float, float, float]]:
    windows = {}
    for page in pages:
        for labels, samples in page.having("window_samples", window=WINDOW):
            key = labels["agent"], labels["group"], labels["scorer"]
            assert key not in windows, f"two workers speak for {key}"
            errors = page.value("window_errors", **labels)
            average = page.value("window_score_average", **labels)
            assert errors is not None
            assert average is not None
            windows[key] = samples, errors, average
    return windows


def _verdicts(workers: Sequence[Worker]) -> dict[str, str | None]:
    return {
        labels["agent"]: labels["verdict"]
        for worker in workers
        for labels, value in worker.figures().having("verdict_state", window=WINDOW)
        if value == 1
    }


def _expected_verdicts(expected: dict[tuple[str, str, str], Expected]) -> dict[str, str | None]:
    by_agent: dict[str, dict[str, Expected]] = {}
    for (agent, _, scorer), found in expected.items():
        by_agent.setdefault(agent, {})[scorer] = found
    return {agent: expect_verdict(seen, RULES) for agent, seen in by_agent.items()}


def _assert_scores(lab: Lab, fleet: Fleet) -> None:
    """No score is missing, none is of another run, and an id stands for one score alone."""
    scores = lab.read_json(lab.scores)
    named = {(s["agent_id"], s["run_id"], s["scorer"]): s["score_id"] for s in scores}
    assert named.keys() == {(fact.agent, fact.run_id, fact.scorer) for fact in fleet.facts}
    assert len({s["score_id"] for s in scores}) == len(named)
    assert max(Counter(named.values()).values()) == 1

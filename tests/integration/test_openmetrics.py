"""A replay's OpenMetrics text becomes blocks that a real Prometheus answers from."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from live_scoring.core.pipeline import Plan
from live_scoring.core.timeline import Timeline, WindowHistory
from live_scoring.core.window import WindowSpec
from live_scoring.replay.openmetrics import write_openmetrics
from tests.core.timelines import by_pane_end, close_at, score_at, timeline_of
from tests.integration.prometheus import Prometheus, make_blocks, serving
from tests.live.boards import CLOSE, SUNNY, agent_plan

pytestmark = pytest.mark.integration

AGENT = 'weather "1"\\é'
LOOKBACK_MS = 300_000


def history() -> Timeline:
    """Six hours: a gate that fails for a while, a mean that moves, silence, and runs again."""
    minutes = [n for n in range(360) if not 200 <= n < 280]
    gates = (score_at(n * 60_000, f"run-{n}", float(not 60 <= n < 70)) for n in minutes)
    means = (close_at(n * 60_000, f"run-{n}", (n % 7) / 7) for n in minutes)
    windows = (WindowSpec("5m", 300_000, min_samples=3), WindowSpec("6h", 21_600_000))
    plan = Plan((agent_plan(AGENT, windows=windows, scorers=(SUNNY, CLOSE)),))
    return timeline_of([replace(s, agent_id=AGENT) for s in (*gates, *means)], plan)


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """One that stands on the blocks made of the history."""
    folder = tmp_path_factory.mktemp("prometheus")
    text, blocks = folder / "replay.om", folder / "blocks"
    text.write_bytes(b"".join(write_openmetrics(history(), "last-week")))
    make_blocks(text, blocks)
    with serving(folder, blocks, {}) as server:
        yield server


def asked(prometheus: Prometheus, query: str, at_ms: int) -> float | None:
    """The value of the one series at a moment; None if there is none."""
    answer = prometheus.at(query, at_ms / 1000)
    assert len(answer) <= 1
    return answer[0].values[0] if answer else None


def named(metric: str, window: WindowHistory, **labels: str) -> str:
    agent = AGENT.replace("\\", r"\\").replace('"', r"\"")
    known = {"replay": "last-week", "agent": agent, "window": window.window.name} | labels
    inner = ",".join(f'{name}="{value}"' for name, value in known.items())
    return f"live_scoring_{metric}{{{inner}}}"


def test_prometheus_says_at_pane_ends_what_the_timeline_says(prometheus: Prometheus) -> None:
    for window in history().sweep():
        for end_ms, (tallies, verdict) in list(by_pane_end(window))[::47]:
            samples = asked(prometheus, named("window_samples", window, scorer="close"), end_ms)
            assert samples == (tallies["close"].scored if "close" in tallies else 0)
            assert verdict is not None
            state = named("verdict_state", window, verdict=verdict.state)
            assert asked(prometheus, state, end_ms) == 1
            failures = named("window_gate_failures", window, gate="sunny")
            assert asked(prometheus, failures, end_ms) == verdict.results[0].failures
            if "close" in tallies:
                average = named("window_score_average", window, scorer="close")
                assert asked(prometheus, average, end_ms) == tallies["close"].average


def test_the_graph_of_a_long_window_has_no_holes(prometheus: Prometheus) -> None:
    *_, six_hours = history().sweep()
    ends = [end_ms for end_ms, _ in by_pane_end(six_hours)]
    assert six_hours.window.pane_ms > LOOKBACK_MS
    query = named("window_samples", six_hours, scorer="sunny")
    (series,) = prometheus.over(query, ends[0] / 1000, ends[-1] / 1000, step=30)
    assert len(series.values) == (ends[-1] - ends[0]) // 30_000 + 1


def test_only_series_of_the_replay_are_there(prometheus: Prometheus) -> None:
    names = prometheus.values_of("replay", '{__name__=~".+"}')
    assert names == ["last-week"]

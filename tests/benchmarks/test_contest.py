"""A contest on a real broker, of so few runs that the figures say nothing."""

from collections.abc import Iterator

import pytest

from live_scoring.adapters.embedded_broker import start_broker
from tests.benchmarks import latency
from tests.benchmarks.contest import Contender, Contest
from tests.benchmarks.rows import absent, contenders

pytestmark = pytest.mark.integration

CONTENDERS = {c.name: c for c in contenders(400) if not c.name.endswith("kb")}


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    folder = tmp_path_factory.mktemp("contest")
    with start_broker(folder / "broker.log") as broker:
        made = Contest(broker.address, folder)
        made.prepare({c.runs for c in CONTENDERS.values()})
        yield made


@pytest.mark.parametrize("name", CONTENDERS)
def test_every_contender_comes_to_an_end(contest: Contest, name: str) -> None:
    contender = CONTENDERS[name]
    if reason := absent(contender):
        pytest.skip(reason)
    figures = contest.measure(contender, 0)
    assert figures.runs_per_s > 0
    assert figures.peak_mb


def test_each_round_begins_anew(contest: Contest) -> None:
    assert contest.measure(CONTENDERS["worker"], 1).runs_per_s > 0


def test_one_that_fails_is_told_with_what_it_said(contest: Contest) -> None:
    broken = Contender("broken", ("tests.benchmarks.peers.none",), CONTENDERS["worker"].runs)
    with pytest.raises(RuntimeError, match="No module named"):
        contest.measure(broken, 0)


def test_delays_are_measured_at_the_rate_that_was_asked_for(contest: Contest) -> None:
    found = latency.measure(contest.address, contest.folder, 100, seconds=2)
    assert 0 < found["latency_p50_seconds"] <= found["latency_p99_seconds"]
    assert found["latency_runs_per_s_sent"] == pytest.approx(100, rel=0.1)

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from live_scoring.adapters.embedded_broker import start_broker
from tests.integration.exactness import assert_exact
from tests.integration.fleet import configuration, make_fleet
from tests.integration.lab import Lab, free_port
from tests.integration.proxy import HOST, Proxy
from tests.integration.runs import now_ms
from tests.integration.waiting import wait_until

pytestmark = pytest.mark.integration

GONE_SECONDS = 20


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    """A proxy before a broker of its own, whose clients are all sent through it."""
    port = free_port()
    with (
        start_broker(tmp_path / "broker.log", advertised=f"{HOST}:{port}") as broker,
        Proxy(port, broker.port) as started,
    ):
        yield started


def test_a_worker_whose_broker_is_gone_for_20_seconds_waits_and_loses_nothing(
    proxy: Proxy, tmp_path: Path
) -> None:
    lab = Lab(f"{HOST}:{proxy.port}", "gone", tmp_path)
    lab.configure(*configuration())
    fleet = make_fleet(now_ms(), runs=6_000)
    lab.send(fleet.part(0, of=2))
    worker = lab.start_worker()
    try:
        wait_until("it is at work", lambda: worker.figures().total("runs_consumed_total") > 500)
        proxy.cut()
        time.sleep(GONE_SECONDS)
        proxy.restore()
        lab.send(fleet.part(1, of=2))
        assert_exact(lab, [worker], fleet, now_ms())
    finally:
        lab.close()

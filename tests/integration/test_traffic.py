import signal
import subprocess
import sys

import orjson
import pytest

from tests.integration.lab import Lab
from tests.integration.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.integration


def start_traffic(lab: Lab) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "live_scoring", "traffic", "--config", str(lab.config)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_traffic_sends_runs_of_four_agents_until_it_is_told_to_stop(lab: Lab) -> None:
    lab.configure()
    traffic = start_traffic(lab)
    wait_until("runs arrive", lambda: len(lab.read(lab.runs)) >= 50)
    traffic.send_signal(signal.SIGTERM)
    said, complained = traffic.communicate(timeout=PATIENCE_SECONDS)
    runs = [orjson.loads(record.value) for record in lab.read(lab.runs)]
    assert traffic.returncode == 0, complained
    told = [orjson.loads(line)["message"] for line in complained.splitlines()]
    assert told in ([], ["the broker has no idempotent producer for us"])  # as the embedded one
    assert said.splitlines() == [
        f"sending to {lab.runs} at {lab.address} until SIGTERM",
        f"{len(runs)} runs sent",
    ]
    assert {run["agent_id"] for run in runs} == {
        "weather-agent",
        "refund-agent",
        "research-agent",
        "night-report-agent",
    }


def test_traffic_creates_no_topic(lab: Lab) -> None:
    lab.runs = f"{lab.runs}-missing"
    lab.configure()
    traffic = start_traffic(lab)
    said, complained = traffic.communicate(timeout=PATIENCE_SECONDS)
    assert (traffic.returncode, said) == (2, "")
    assert complained == (f"topic {lab.runs}: does not exist; start a worker, which creates it\n")

"""A place of its own for each test on a shared broker: topics, group, configuration, workers."""

import itertools
import os
import socket
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson
import yaml
from aiokafka import ConsumerRecord

from tests.integration import topics
from tests.integration.topics import Sending
from tests.integration.workers import Worker

PARTITIONS = 4
PANES_EVERY = 500
"""So few that panes are written again and again."""
WINDOW = "1h"
"""So long that nothing leaves it during a test."""

_SHARE = 1_500
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw9").removeprefix("gw")) % 10
_FIRST = 15_000 + _WORKER * _SHARE
_PORTS = (_FIRST + (os.getpid() + step) % _SHARE for step in itertools.count())


class Lab:
    """What one test works with."""

    def __init__(self, address: str, name: str, folder: Path) -> None:
        """Name topics and group after the test."""
        self.address = address
        self.runs, self.scores = f"{name}-runs", f"{name}-scores"
        self.verdicts, self.dead_letters = f"{name}-verdicts", f"{name}-dead-letters"
        self.panes = f"{name}-panes"
        self.config = folder / "config"
        self.group = name
        self._folder = folder
        self._workers: list[Worker] = []
        (self.config / "agents").mkdir(parents=True)
        topics.create_topic(address, self.runs, PARTITIONS)

    def configure(
        self, *agents: Mapping[str, Any], windows: Mapping[str, Any] | None = None, **sections: Any
    ) -> None:
        """Write the configuration; `address` may by now be a proxy's."""
        worker = {
            "kafka": {
                "bootstrap_servers": self.address,
                "group_id": self.group,
                "session_timeout_seconds": 6,
                "heartbeat_interval_seconds": 1,
                "fetch_max_wait_ms": 20,
            },
            "topics": {
                "runs": [self.runs],
                "scores": self.scores,
                "verdicts": self.verdicts,
                "dead_letters": self.dead_letters,
                "panes": self.panes,
                "partitions": PARTITIONS,
            },
            "windows": windows or {WINDOW: {"min_samples": 1}},
            "panes_every": PANES_EVERY,
            **sections,
        }
        (self.config / "worker.yaml").write_text(yaml.safe_dump(worker))
        for agent in agents:
            self.configure_agent(agent)

    def configure_agent(self, agent: Mapping[str, Any]) -> None:
        """Write one agent's file."""
        path = self.config / "agents" / f"{agent['agent'].replace('*', 'x')}.yaml"
        path.write_text(yaml.safe_dump(dict(agent)))

    def start_worker(self, *options: str, **variables: str) -> Worker:
        """Start a worker with pages on a free port; `variables` as of `Worker`."""
        number = len(self._workers)
        log = self._folder / f"worker-{number}.log"
        worker = Worker(self.config, free_port(), log, *options, **variables)
        self._workers.append(worker)
        return worker

    def send(self, records: Iterable[Sending]) -> None:
        """Send to the runs topic."""
        topics.send(self.address, self.runs, records)

    def read(self, topic: str) -> list[ConsumerRecord]:
        """Read a topic whole."""
        return topics.read(self.address, topic)

    def read_json(self, topic: str) -> list[dict[str, Any]]:
        """Read a topic of JSON records whole."""
        return [orjson.loads(record.value) for record in self.read(topic)]

    def close(self) -> None:
        """End what still runs."""
        for worker in self._workers:
            worker.kill()


def free_port() -> int:
    """A port that nobody listens on, and that no system gives to someone who only connects.

    A broker that is started again would find such a one taken now and then. It is not given twice,
    as whoever asked for it may listen only seconds later, and tests beside these have others.
    """
    while True:
        port = next(_PORTS)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port

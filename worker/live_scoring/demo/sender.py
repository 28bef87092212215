"""Sends the runs of the demo's agents at their pace."""

from collections.abc import Iterable

from live_scoring.adapters.kafka import Outgoing, Publisher
from live_scoring.demo.traffic import DemoAgent, due_runs


class Sender:
    """Sends what has fallen due since the last time."""

    def __init__(
        self, publisher: Publisher, topic: str, agents: Iterable[DemoAgent], cycle_seconds: float
    ) -> None:
        """Start with nothing sent; after a cycle the agents do again what they did."""
        self._publisher = publisher
        self._topic = topic
        self._due = dict.fromkeys(agents, 0)
        self._cycle_seconds = cycle_seconds
        self.sent = 0

    async def send(self, elapsed: float, now_ms: int) -> None:
        """Send the runs due after `elapsed` seconds, ended now; returns once all are confirmed."""
        records = []
        share = elapsed % self._cycle_seconds / self._cycle_seconds
        for agent, done in self._due.items():
            due = int(agent.runs_per_second * elapsed)
            self._due[agent] = due
            for key, value in due_runs(agent, range(done, due), share, now_ms):
                partition = await self._publisher.partition_of(self._topic, key)
                records.append(Outgoing(key, value, partition))
        await self._publisher.publish(self._topic, records)
        self.sent += len(records)

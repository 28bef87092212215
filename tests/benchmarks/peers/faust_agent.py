"""A contender: a plain Faust agent, one event at a time."""

from typing import Any

import faust

from live_scoring.core.score import Source
from tests.benchmarks.task import Task
from tests.benchmarks.workload import HEARTBEAT_SECONDS, SESSION_SECONDS, plan_of, scores_of


def main(task: Task) -> None:
    """Score for ever."""
    plan = plan_of(task.folder)
    app = faust.App(
        task.group,
        broker=f"kafka://{task.address}",
        consumer_auto_offset_reset="earliest",
        broker_session_timeout=SESSION_SECONDS,
        broker_heartbeat_interval=HEARTBEAT_SECONDS,
        topic_disable_leader=True,
        web_enabled=False,
        datadir=task.config,
    )
    topic = app.topic(task.runs, value_serializer="raw", key_serializer="raw")
    out = app.topic(task.scores, value_serializer="raw", key_serializer="raw")

    async def score(stream: faust.StreamT[Any]) -> None:
        async for event in stream.events():
            message = event.message
            at_ms = int(message.timestamp * 1000)
            source = Source(message.topic, message.partition, message.offset, at_ms)
            for value in scores_of(event.value, source, plan):
                await out.send(key=event.key, value=value)

    app.agent(topic)(score)
    faust.Worker(app, loglevel="WARN").execute_from_commandline()


if __name__ == "__main__":
    main(Task.from_argv())

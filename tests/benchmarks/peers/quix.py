"""A contender: Quix Streams, as its manual writes a stateless pipeline."""

from quixstreams import Application

from live_scoring.core.score import Source
from tests.benchmarks.task import Task
from tests.benchmarks.workload import HEARTBEAT_SECONDS, SESSION_SECONDS, plan_of, scores_of


def main(task: Task) -> None:
    """Score for ever."""
    plan = plan_of(task.folder)
    app = Application(
        broker_address=task.address,
        consumer_group=task.group,
        auto_offset_reset="earliest",
        use_changelog_topics=False,
        consumer_extra_config={
            "session.timeout.ms": SESSION_SECONDS * 1_000,
            "heartbeat.interval.ms": HEARTBEAT_SECONDS * 1_000,
        },
        producer_extra_config={"enable.idempotence": False},
        loglevel="WARNING",
        state_dir=task.folder / "state",
    )
    source = Source(task.runs, 0, 0, 0)
    stream = app.dataframe(app.topic(task.runs, value_deserializer="bytes"))
    stream = stream.apply(lambda value: scores_of(value, source, plan), expand=True)
    stream.to_topic(app.topic(task.scores, value_serializer="bytes"))
    app.run()


if __name__ == "__main__":
    main(Task.from_argv())

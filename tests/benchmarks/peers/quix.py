"""A contender: Quix Streams, where it is installed."""

import sys
from pathlib import Path

from quixstreams import Application

from live_scoring.core.score import Source
from tests.benchmarks.workload import plan_of, scores_of


def main(address: str, runs: str, scores: str, group: str, config: str) -> None:
    """Score for ever."""
    plan = plan_of(Path(config))
    app = Application(
        broker_address=address,
        consumer_group=group,
        auto_offset_reset="earliest",
        use_changelog_topics=False,
        producer_extra_config={"enable.idempotence": False},
        loglevel="WARNING",
        state_dir=Path(config) / "state",
    )
    source = Source(runs, 0, 0, 0)
    stream = app.dataframe(app.topic(runs, value_deserializer="bytes"))
    stream = stream.apply(lambda value: scores_of(value, source, plan), expand=True)
    stream.to_topic(app.topic(scores, value_serializer="bytes"))
    app.run()


if __name__ == "__main__":
    main(*sys.argv[1:])

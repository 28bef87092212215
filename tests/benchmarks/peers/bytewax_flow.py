"""A contender: a Bytewax dataflow, as its manual writes one from Kafka to Kafka."""

from collections.abc import Iterator

from bytewax import operators as op
from bytewax.connectors.kafka import KafkaSinkMessage, KafkaSourceMessage
from bytewax.connectors.kafka import operators as kop
from bytewax.dataflow import Dataflow
from bytewax.testing import run_main

from live_scoring.core.score import Source
from tests.benchmarks.task import Task
from tests.benchmarks.workload import plan_of, scores_of


def main(task: Task) -> None:
    """Score for ever."""
    plan = plan_of(task.folder)

    def score(message: KafkaSourceMessage) -> Iterator[KafkaSinkMessage]:
        source = Source(task.runs, message.partition, message.offset, 0)
        for value in scores_of(message.value, source, plan):
            yield KafkaSinkMessage(message.key, value)

    flow = Dataflow("scores")
    runs = kop.input("runs", flow, brokers=[task.address], topics=[task.runs], batch_size=1_000)
    kop.output(
        "out", op.flat_map("score", runs.oks, score), brokers=[task.address], topic=task.scores
    )
    run_main(flow)


if __name__ == "__main__":
    main(Task.from_argv())

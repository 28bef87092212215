"""A retry of dead letters that is killed: `python -m tests.integration.dying FOLDER DELIVERIES`."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from live_scoring.adapters.kafka import Outgoing, Publisher, Refused, count_partitions
from live_scoring.config import WorkerConfig, load_config
from live_scoring.dead_letters.choosing import Wanted, choose
from live_scoring.dead_letters.retry import Retry
from live_scoring.dead_letters.survey import Survey, survey_topic


class DyingPublisher(Publisher):
    """Kills its process, as `kill -9` does, instead of delivering once more."""

    def __init__(self, config: WorkerConfig, deliveries: int) -> None:
        """Deliver so often before."""
        super().__init__(config.kafka, lambda _: None)
        self._left = deliveries

    async def publish(self, topic: str, records: Iterable[Outgoing], *_: Any) -> list[Refused]:
        """Publish, or die."""
        sent = list(records)
        if sent and self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= bool(sent)
        return await super().publish(topic, sent)


async def retry_and_die(config: WorkerConfig, deliveries: int) -> None:
    """Send all dead letters back."""
    survey = await survey_topic(config.kafka, config.topics.dead_letters) or Survey()
    partitions = await count_partitions(config.kafka, config.topics.runs)
    publisher = DyingPublisher(config, deliveries)
    await publisher.start()
    retry = Retry(config, publisher, is_forced=False)
    await retry.run(survey, choose(survey, Wanted(), partitions), partitions)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    setting = load_config(Path(sys.argv[1]), os.environ)
    asyncio.run(retry_and_die(setting.worker, int(sys.argv[2])))

"""Calls of scorers that call out, under way beside the loop that sent them."""

import asyncio
from collections.abc import Collection

from live_scoring.adapters.kafka import TopicPartition
from live_scoring.adapters.outside import Outside
from live_scoring.core.pipeline import OutsideCall
from live_scoring.core.scoring import Answer


class Errands:
    """Sends calls out and keeps what comes back until the loop's next turn."""

    def __init__(self, outside: Outside) -> None:
        """Send nothing yet."""
        self._outside = outside
        self._calls: dict[asyncio.Task[Answer | None], OutsideCall] = {}

    def send(self, call: OutsideCall) -> None:
        """Begin a call."""
        asking = self._outside.ask(call.scorer, call.placed.run)
        self._calls[asyncio.create_task(asking)] = call

    def take_ended(self) -> list[tuple[OutsideCall, Answer | None]]:
        """The calls that have ended since this was last asked; without an answer: over budget."""
        done = [task for task in self._calls if task.done()]
        return [(self._calls.pop(task), task.result()) for task in done]

    def cancel(self, partitions: Collection[TopicPartition]) -> None:
        """Give up the calls about records of lost partitions, and their answers."""
        for task, call in list(self._calls.items()):
            source = call.placed.source
            if TopicPartition(source.topic, source.partition) in partitions:
                del self._calls[task]
                task.cancel()

"""Partitions that have fallen quiet, in which no record tells how time goes on."""

from collections.abc import Callable, Iterable, Mapping

from live_scoring.adapters.kafka import TopicPartition


class Quiet:
    """How long it is since each partition's last record, by the wall clock and so not exactly."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        """Have heard of no partition."""
        self._monotonic = monotonic
        self._heard: dict[TopicPartition, float] = {}

    def hear(self, partitions: Iterable[TopicPartition]) -> None:
        """Note that records came."""
        self._heard.update(dict.fromkeys(partitions, self._monotonic()))

    def waited_ms(self) -> Mapping[TopicPartition, int]:
        """Whole milliseconds without a record."""
        now = self._monotonic()
        return {at: int((now - heard) * 1000) for at, heard in self._heard.items()}

    def keep(self, partitions: Iterable[TopicPartition]) -> None:
        """Forget all others."""
        self._heard = {at: self._heard[at] for at in partitions if at in self._heard}

"""Traces whose spans come in several partitions of a topic, of which no partition has all."""

from live_scoring.core.score import Source


class Split:
    """Where open traces are; what is open in one place and opens in another is counted."""

    def __init__(self) -> None:
        """Know no trace."""
        self.count = 0
        self._homes: dict[tuple[str, str], int] = {}

    def open(self, trace_id: str, source: Source) -> None:
        """Note that a record opened a trace."""
        if self._homes.setdefault((source.topic, trace_id), source.partition) != source.partition:
            self.count += 1

    def close(self, trace_id: str, source: Source) -> None:
        """Note that the trace which a record opened was closed."""
        key = source.topic, trace_id
        if self._homes.get(key) == source.partition:
            del self._homes[key]

"""Reading no faster than asked."""


class Pace:
    """A bucket that fills with so many records a second, up to a second's worth."""

    def __init__(self, rate: float | None, now: float) -> None:
        """Begin with a full bucket.

        Args:
            rate: Records a second; None is no limit.
            now: Seconds of a monotonic clock.
        """
        self._rate = rate
        self._level = self._size = max(1.0, rate or 0.0)
        self._at = now

    def allowed(self, limit: int, now: float) -> int:
        """How many records may be read now, `limit` at most."""
        if self._rate is None:
            return limit
        self._level = min(self._size, self._level + (now - self._at) * self._rate)
        self._at = now
        return min(limit, max(0, int(self._level)))

    def take(self, records: int) -> None:
        """Note that so many were read."""
        self._level -= records

    @property
    def wait_seconds(self) -> float:
        """How long until one more may be read."""
        return 0.0 if self._rate is None else max(0.0, (1 - self._level) / self._rate)

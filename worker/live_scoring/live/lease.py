"""Whether this worker may still speak for its partitions."""

from collections.abc import Callable


class Lease:
    """Held for a session timeout after the group last confirmed this member.

    The confirmation is an offset commit: the coordinator takes it from living members alone. A
    process that was paused for longer than the session timeout thus wakes up without a lease.
    """

    def __init__(self, seconds: float, monotonic: Callable[[], float]) -> None:
        """Start without it."""
        self._seconds = seconds
        self._monotonic = monotonic
        self._confirmed_at: float | None = None

    def renew(self, asked_at: float) -> None:
        """Hold it from when the group was asked, which then confirmed."""
        self._confirmed_at = asked_at

    def lose(self) -> None:
        """Hold it no longer."""
        self._confirmed_at = None

    @property
    def is_held(self) -> bool:
        """Whether the last confirmation is young enough."""
        at = self._confirmed_at
        return at is not None and self._monotonic() - at < self._seconds

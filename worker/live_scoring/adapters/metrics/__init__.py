"""What Prometheus sees of a worker; nothing of its client library leaves this package."""

from live_scoring.adapters.metrics.metrics import Build, Known, Metrics, Notified
from live_scoring.adapters.metrics.windows import Board

__all__ = ["Board", "Build", "Known", "Metrics", "Notified"]

"""What both loops work with."""

from dataclasses import dataclass

from live_scoring.adapters.kafka import Publisher
from live_scoring.adapters.metrics import Metrics
from live_scoring.config import WorkerConfig
from live_scoring.live.clock import Clock


@dataclass(frozen=True, slots=True)
class Services:
    """The worker's configuration and the parts that its loops share."""

    config: WorkerConfig
    publisher: Publisher
    metrics: Metrics
    clock: Clock

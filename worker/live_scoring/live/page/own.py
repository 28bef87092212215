"""What the status page says of the worker that serves it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from live_scoring.core.quote import counted, printable
from live_scoring.live.page import words
from live_scoring.live.worker import Worker

_UNKNOWN_AGENTS = 5


@dataclass(frozen=True, slots=True)
class OwnView:
    """One worker, in words."""

    trouble: str
    """Why what is shown may be old or incomplete; empty if all is well."""
    facts: Mapping[str, str]
    at: str


def own_view(worker: Worker) -> OwnView:
    """What a worker is about."""
    return OwnView(_trouble(worker), dict(_facts(worker)), words.moment(worker.clock.now_ms()))


def _trouble(worker: Worker) -> str:
    if worker.failure is not None:
        return f"This worker cannot go on: {printable(str(worker.failure))}"
    if not worker.readiness:
        return "This worker waits for the broker."
    if not all(worker.readiness.values()):
        return "This worker waits for the broker or rebuilds windows: verdicts may be missing yet."
    return ""


def _facts(worker: Worker) -> Iterator[tuple[str, str]]:
    for name in ("runs", "scores"):
        speed = worker.pace.per_second(name)
        yield f"{name}/s", "not yet" if speed is None else f"{speed:,.1f}"
    for topic, records in worker.metrics.lags().items():
        yield f"behind on {topic}", counted(records, "record")
    summary = worker.halves.summary()
    if "dead_letters" in summary:
        yield "dead letters", f"{summary['dead_letters']:,}"
    if unknown := summary.get("unknown_agents"):
        shown = ", ".join(map(printable, unknown[:_UNKNOWN_AGENTS]))
        yield "agents that no file names", shown + ", …" * (len(unknown) > _UNKNOWN_AGENTS)
    yield "configuration", worker.setting.plan.config_hash

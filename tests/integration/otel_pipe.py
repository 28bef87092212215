"""The whole pipe: an agent's SDK, the OpenTelemetry Collector, a topic, a worker, its metrics."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.integration.lab import WINDOW, Lab
from tests.integration.otel_agent import OtelAgent
from tests.integration.otel_collector import running
from tests.integration.waiting import wait_until

RUNS = 12
_GATES = {"calls-weather": {"called_tool": "get_weather"}, "no-errors": "no_tool_errors"}


def prove_verdicts(
    lab: Lab, collector: Path, exporter: Mapping[str, Any], *, are_torn: bool = False
) -> None:
    """Two agents run, one of which fails now and then, and the metrics tell it of each.

    Args:
        lab: Its topic of runs is the one that the Collector exports to.
        collector: The Collector's program.
        exporter: Settings of the Collector's Kafka exporter, beyond the broker's address.
        are_torn: Whether each span leaves on its own.
    """
    agents = [{"agent": name, "windows": [WINDOW], "gates": _GATES} for name in ("fine", "flaky")]
    lab.configure(*agents)
    traces = export(lab, collector, exporter, are_torn=are_torn)
    worker = lab.start_worker()
    worker.wait_ready()

    def samples() -> list[float | None]:
        asked = {"window": WINDOW, "scorer": "no-errors"}
        figures = worker.figures()
        return [figures.value("window_samples", agent=a, **asked) for a in ("fine", "flaky")]

    wait_until("every run counts", lambda: samples() == [RUNS, RUNS])
    wait_until("fine passes", lambda: worker.verdict("fine", WINDOW) == "passed")
    wait_until("flaky fails", lambda: worker.verdict("flaky", WINDOW) == "failed")
    figures = worker.figures()
    assert figures.value("window_gate_failures", agent="flaky", gate="no-errors") == RUNS / 4
    assert figures.total("window_gate_failures", gate="calls-weather") == 0
    assert figures.total("runs_incomplete_total") == 0
    assert figures.total("dead_letters_total") == 0
    assert {score["run_id"] for score in lab.read_json(lab.scores)} == traces


def export(lab: Lab, collector: Path, exporter: Mapping[str, Any], *, are_torn: bool) -> set[str]:
    """Let both agents run and wait until the topic has it all; gives the traces' ids."""
    records = RUNS * 2 * (4 if are_torn else 1)
    settings = {"brokers": [lab.address]} | dict(exporter)
    with running(collector, lab.config.parent, settings) as address:
        fine, flaky = OtelAgent("fine", address), OtelAgent("flaky", address)
        traces = {fine.run(is_torn=are_torn) for _ in range(RUNS)}
        traces |= {flaky.run(fails=n % 4 == 0, is_torn=are_torn) for n in range(RUNS)}
        fine.close()
        flaky.close()
        wait_until("all are on the topic", lambda: len(lab.read(lab.runs)) == records)
    return traces

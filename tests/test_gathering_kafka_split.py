"""A trace as the Collector's Kafka exporter spreads it over records."""

import json
from pathlib import Path

import pytest

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Source
from live_scoring.gathering import GatheredRun, Gatherer
from live_scoring.telemetry.envelope import Envelope

FILES = Path(__file__).parent / "kafka_split"
PAYLOADS = [
    json.dumps(message["value"]).encode()
    for message in json.loads((FILES / "messages.json").read_text())
]
_BESIDE = dict.fromkeys(("tags", "model", "input_tokens", "output_tokens", "duration_ms"))
"""What the file leaves out."""


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 3, 1, 0), (3, 0, 2, 1), (1, 1, 2, 0, 3, 0)])
def test_a_trace_spread_over_records_is_one_run_in_any_order(order: tuple[int, ...]) -> None:
    gatherer = Gatherer()
    for offset, number in enumerate(order):
        source = Source("otlp_spans", 0, offset, 1_793_534_402_000)
        assert not list(gatherer.take(PAYLOADS[number], Envelope(source)))
    runs = [find for find in gatherer.flush() if isinstance(find, GatheredRun)]
    told = json.loads((FILES / "expected.json").read_text())
    whole = next(found for found in runs if found.run.run_id == told["run_id"])
    assert whole.format_name == "otlp_json"
    wanted = AgentRun.model_validate(told)
    assert whole.run.model_copy(update=_BESIDE) == wanted.model_copy(update=_BESIDE)

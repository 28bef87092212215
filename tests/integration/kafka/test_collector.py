from pathlib import Path

import pytest

from tests.integration import topics
from tests.integration.lab import PARTITIONS, Lab
from tests.integration.otel_pipe import prove_verdicts

pytestmark = [
    pytest.mark.kafka,
    pytest.mark.integration,
    pytest.mark.timeout(1_200),  # the first time the Collector is built
]


def test_what_a_collector_exports_without_any_setting_becomes_verdicts(
    lab: Lab, collector: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVE_SCORING_ASSEMBLY__GRACE", "2s")
    lab.runs = "otlp_spans"
    topics.create_topic(lab.address, lab.runs, PARTITIONS)
    prove_verdicts(lab, collector, {})

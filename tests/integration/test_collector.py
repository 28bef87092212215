from pathlib import Path

import pytest

from tests.integration import topics
from tests.integration.lab import PARTITIONS, Lab
from tests.integration.otel_pipe import export, prove_verdicts
from tests.integration.waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.timeout(1_200)]  # the first time it is built

FOR_EMBEDDED_BROKER = {"protocol_version": "2.8.0"}
"""With the exporter's default, 2.1.0, its client asks what this broker hangs up on."""


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVE_SCORING_ASSEMBLY__GRACE", "2s")


def test_runs_that_a_collector_exports_by_default_become_verdicts(
    lab: Lab, collector: Path
) -> None:
    lab.runs = "otlp_spans"
    topics.create_topic(lab.address, lab.runs, PARTITIONS)
    prove_verdicts(lab, collector, FOR_EMBEDDED_BROKER)
    records = lab.read(lab.runs)
    assert {record.key for record in records} == {None}
    assert len({record.partition for record in records}) > 1


def test_torn_traces_that_a_collector_keys_by_their_id_become_whole(
    lab: Lab, collector: Path
) -> None:
    keyed = {"partition_traces_by_id": True, "traces": {"topic": lab.runs}}
    prove_verdicts(lab, collector, FOR_EMBEDDED_BROKER | keyed, are_torn=True)


def test_torn_traces_that_a_collector_exports_by_default_are_told_to_be_split(
    lab: Lab, collector: Path
) -> None:
    split = {"traces": {"topic": lab.runs}}
    lab.configure({"agent": "fine", "gates": {"no-errors": "no_tool_errors"}})
    export(lab, collector, FOR_EMBEDDED_BROKER | split, are_torn=True)
    worker = lab.start_worker()
    worker.wait_ready()
    wait_until("it tells", lambda: worker.figures().total("traces_split_total") > 0)

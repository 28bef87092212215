"""What becomes of records that hold pieces of runs."""

import json
from typing import Any

from live_scoring.adapters.kafka import ConsumerRecord
from live_scoring.formats.dead_letter import DeadLetter, read_headers
from live_scoring.gathering import Gatherer, LookBack
from live_scoring.live.intake import Harvest, Intake
from live_scoring.telemetry.traces import Bounds
from tests.fake_spans import READING, payload_of, piece, root
from tests.live.boards import agent_plan
from tests.live.fakes import NOW_MS
from tests.live.intakes import intake_of, services_of, take, take_all

AT = ("agent-runs", 0)


def intake_of_spans() -> tuple[Intake, Any]:
    services = services_of()
    intake = intake_of(services, agent_plan("agent-1"))
    intake.gatherer = Gatherer(READING, Bounds(grace_ms=10))
    return intake, services.metrics


def record_at(offset: int, at_ms: int, *pieces: dict[str, Any]) -> ConsumerRecord:
    payload = payload_of(*pieces)
    key, headers = b"key", (("traceparent", b"00-1"),)
    return ConsumerRecord(
        "agent-runs", 0, offset, NOW_MS + at_ms, 0, key, payload, None, 3, 0, headers
    )


def test_a_run_is_scored_once_its_trace_is_closed() -> None:
    (intake, metrics), harvest = intake_of_spans(), Harvest()
    take(intake, record_at(3, 0, piece("t", "a", text="one")), harvest)
    take(intake, record_at(4, 1, root("t")), harvest)
    assert not harvest.scores
    take(intake, record_at(5, 11, root("u")), harvest)
    assert {score.run_id for score in harvest.scores} == {"t"}
    assert {score.source.offset for score in harvest.scores} == {4}
    metrics.gathered(intake.gatherer.counts())
    page = metrics.render()[0].decode()
    assert 'live_scoring_runs_consumed_total{topic="agent-runs",format="pieces"} 1' in page
    assert "live_scoring_open_runs 1" in page


def test_the_time_waited_closes_what_is_due() -> None:
    (intake, _), harvest = intake_of_spans(), Harvest()
    take(intake, record_at(3, 0, root("t", text="one")), harvest)
    assert intake.gatherer.due({AT: 9}) == []
    assert intake.gatherer.due({AT: 10, ("other", 1): 10}) == [AT]
    take_all(intake, intake.gatherer.close_due(AT, 10), harvest)
    assert {score.run_id for score in harvest.scores} == {"t"}


def test_a_trace_that_cannot_be_read_is_counted_once_and_its_records_are_dead_letters() -> None:
    (intake, metrics), harvest = intake_of_spans(), Harvest()
    records = [
        record_at(3, 0, piece("t", "a", text="", is_bad=1)),
        record_at(4, 0, root("t", text="")),
    ]
    for record in records:
        take(intake, record, harvest)
    take_all(intake, intake.gatherer.close_due(AT, 10), harvest)
    assert [letter.value for letter in harvest.dead_letters] == [r.value for r in records]
    letters = [read_headers(letter.headers) for letter in harvest.dead_letters]
    told = [letter for letter in letters if isinstance(letter, DeadLetter)]
    assert {letter.failure.stage for letter in told} == {"assemble"}
    assert [letter.source.offset for letter in told] == [3, 4]
    assert {letter.key for letter in harvest.dead_letters} == {b"key"}
    assert intake.bad == 1
    page = metrics.render()[0].decode()
    assert 'live_scoring_dead_letters_total{stage="assemble",reason="no_content"} 1' in page


def test_the_first_spans_of_a_partition_are_taken_only_after_a_look_back() -> None:
    intake = intake_of(services_of(), agent_plan("agent-1"))
    told = {"type": "span_ended", "traceId": "t", "id": "a", "startTime": 0}
    record = record_at(3, 0)
    record.value = json.dumps(told).encode()
    assert list(intake.gather(record)) == [LookBack(NOW_MS - 600_000)]
    assert list(intake.gather(record)) == []

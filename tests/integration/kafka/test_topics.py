import pytest

from tests.integration.kafka import admin
from tests.integration.kafka.logs import reason_to_end
from tests.integration.lab import PARTITIONS, Lab

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

HOUR_MS = 3_600_000
AGENT = {"agent": "agent", "windows": ["1h"], "gates": {"fine": {"includes": "fine"}}}


def test_missing_topics_are_created_as_they_must_be_and_no_others(lab: Lab) -> None:
    lab.configure(AGENT)
    before = admin.topics(lab.address)
    worker = lab.start_worker()
    worker.wait_ready()
    created = {lab.scores, lab.verdicts, lab.dead_letters, lab.panes}
    assert admin.topics(lab.address) - before - {"__consumer_offsets"} == created
    assert {admin.partitions_of(lab.address, name) for name in created} == {PARTITIONS}
    for name in (lab.scores, lab.panes):
        settings = admin.settings_of(lab.address, name)
        assert settings["cleanup.policy"] == "delete"
        assert int(settings["retention.ms"]) >= 2 * HOUR_MS
    assert admin.settings_of(lab.address, lab.verdicts)["cleanup.policy"] == "compact"
    assert admin.settings_of(lab.address, lab.dead_letters)["cleanup.policy"] == "delete"


def test_without_the_right_to_create_a_missing_topic_is_told_with_the_command(lab: Lab) -> None:
    lab.configure(AGENT)
    before = admin.topics(lab.address)
    told = reason_to_end(lab.start_worker("--no-create-topics"))
    command = f"kafka-topics.sh --bootstrap-server {lab.address} --create --topic {lab.scores}"
    assert f"{command} --partitions {PARTITIONS} --config cleanup.policy=delete" in told
    assert admin.topics(lab.address) == before


@pytest.mark.parametrize(
    ("topic", "partitions", "settings", "remedy"),
    [
        ("scores", PARTITIONS, {"cleanup_policy": "compact"}, "set it to delete"),
        ("scores", PARTITIONS, {"retention_ms": "3600000"}, f"set it to {2 * HOUR_MS} or more"),
        ("panes", PARTITIONS, {"cleanup_policy": "compact"}, "set it to delete"),
        ("panes", 3, {}, "give both equally many"),
        ("verdicts", PARTITIONS, {"cleanup_policy": "delete"}, "set it to compact"),
        ("verdicts", 3, {"cleanup_policy": "compact"}, "give both equally many"),
    ],
)
def test_a_topic_that_does_not_fit_is_refused_with_the_remedy(
    lab: Lab, topic: str, partitions: int, settings: dict[str, str], remedy: str
) -> None:
    lab.configure(AGENT)
    name = getattr(lab, topic)
    admin.create_topic(lab.address, name, partitions, **settings)
    told = reason_to_end(lab.start_worker())
    assert name in told
    assert remedy in told

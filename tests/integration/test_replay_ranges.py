"""Which records a replay reads, and what it says of a past that is not as one might expect."""

import asyncio

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from tests.integration.lab import PARTITIONS, WINDOW, Lab
from tests.integration.replays import Ended, replay
from tests.integration.runs import native_run, now_ms
from tests.integration.topics import Sending

pytestmark = pytest.mark.integration

HOUR_MS = 3_600_000
AGENT = {"agent": "agent", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}


def aged(age_hours: int, partition: int = 0) -> Sending:
    """A run's record of so many hours ago."""
    run = native_run(f"run-{age_hours}", "agent")
    return Sending(run.value, partition, timestamp_ms=now_ms() - age_hours * HOUR_MS)


@pytest.fixture
def ages(lab: Lab) -> Lab:
    """A lab with a record of each hour of a day, in no order, all but one in one partition."""
    lab.configure(AGENT)
    lab.send(aged((7 * number) % 24) for number in range(24))
    lab.send([aged(24, partition=2)])
    return lab


def dry(lab: Lab, *options: str) -> Ended:
    ended = replay(lab, "--dry-run", "--json", *options)
    assert ended.exit_code == 0, ended.said
    return ended


def test_a_range_of_time_is_that_of_the_records_whatever_their_order(ages: Lab) -> None:
    summary = dry(ages, "--from", "330m", "--to", "90m").summary
    assert summary["runs"] == 4
    # Apache Kafka tells the first record of a time, the embedded broker the first of its batch.
    assert summary["outside_span"] in {20, 21}


def test_a_range_that_lies_far_behind_the_topics_end_is_not_read_to_that_end(lab: Lab) -> None:
    lab.configure(AGENT)
    lab.send([aged(1), aged(24), *(Sending(b"later", 0) for _ in range(15_000))])
    summary = dry(lab, "--to", "20h").summary
    assert summary["runs"] == 1
    assert 10_000 < summary["records"] < 15_000


def test_offsets_are_read_with_both_ends(ages: Lab) -> None:
    assert dry(ages, "--offsets", "0:3-5").summary["records"] == 3
    assert dry(ages, "--offsets", "0:20-,2:0-0").summary["records"] == 5


def test_partitions_without_a_record_are_told_in_one_line(ages: Lab) -> None:
    ended = dry(ages)
    assert ended.summary["records"] == 25
    assert ended.summary["notes"] == [f"{ages.runs}: each of partitions 1, 3: holds no record"]
    assert f"note: {ages.runs}: each of partitions 1, 3: holds no record" in ended.said


def test_a_time_before_the_first_record_is_told(ages: Lab) -> None:
    ended = dry(ages, "--from", "30d")
    assert f"note: {ages.runs}: partition 2: its first record is of 20" in ended.said
    assert ended.summary["runs"] == 25


@pytest.mark.parametrize(
    "options", [("--from", "2099-01-01"), ("--to", "30d"), ("--offsets", "0:90-")]
)
def test_an_empty_range_is_told_and_ends_well(ages: Lab, options: tuple[str, str]) -> None:
    ended = dry(ages, *options)
    assert ended.summary["runs"] == 0
    assert "note: nothing lies in the range that was asked for" in ended.said


def test_an_empty_topic_is_told_and_ends_well(lab: Lab) -> None:
    lab.configure(AGENT)
    ended = dry(lab)
    partitions = ", ".join(map(str, range(PARTITIONS)))
    assert f"note: {lab.runs}: each of partitions {partitions}: holds no record" in ended.said


def test_a_topic_that_does_not_exist_is_an_error_and_is_not_made(lab: Lab) -> None:
    lab.configure(AGENT)
    ended = replay(lab, "--topic", "no-such-topic", "--dry-run")
    assert (ended.exit_code, ended.out) == (2, "")
    assert "topic no-such-topic: does not exist on" in ended.said
    assert "no-such-topic" not in topics_of(lab)


def topics_of(lab: Lab) -> set[str]:
    async def ask() -> set[str]:
        admin = AIOKafkaAdminClient(bootstrap_servers=lab.address)
        await admin.start()
        try:
            return set(await admin.list_topics())
        finally:
            await admin.close()

    return asyncio.run(ask())


def test_a_partition_that_does_not_exist_is_an_error(lab: Lab) -> None:
    lab.configure(AGENT)
    ended = replay(lab, "--offsets", "9:0-", "--dry-run")
    assert ended.exit_code == 2
    assert f"--offsets: topic {lab.runs} has no partition 9; it has 4" in ended.said


def test_what_cannot_be_read_is_counted_and_writes_no_dead_letter(lab: Lab) -> None:
    lab.configure(AGENT)
    lab.send([Sending(b"no json", 1), Sending(None, 1, b"key"), aged(0)])
    ended = dry(lab)
    assert ended.summary["unreadable"] == {"not_json": 1, "empty": 1}
    assert ended.summary["examples"][0].startswith(f"{lab.runs}/1: offset 0: not_json: ")
    assert lab.dead_letters not in topics_of(lab)

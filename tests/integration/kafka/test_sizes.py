import pytest
from aiokafka import ConsumerRecord

from tests.integration.kafka import admin
from tests.integration.kafka.logs import logged
from tests.integration.lab import PARTITIONS, WINDOW, Lab
from tests.integration.runs import native_run
from tests.integration.topics import Sending
from tests.integration.waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

AGENT = {"agent": "agent", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}
SMALL = "1500"
"""Bytes that a topic takes in one record: enough for a usual score."""
LONG = "x" * 1_024


def too_large() -> Sending:
    """A run whose score carries long ids."""
    return native_run("large", "agent", conversation_id=LONG, trace_id=LONG)


def letters_of(lab: Lab, number: int) -> list[ConsumerRecord]:
    def letters() -> list[ConsumerRecord]:
        found = lab.read(lab.dead_letters)
        return found if len(found) >= number else []

    return wait_until("the dead letters are there", letters)


def facts_of(letter: ConsumerRecord) -> dict[str, str]:
    return {name: value.decode() for name, value in letter.headers}


def wait_for_samples(lab: Lab, samples: int) -> None:
    worker = lab.start_worker()
    wait_until(
        "the stream went on",
        lambda: worker.figures().value("window_samples", agent="agent") == samples,
    )


def test_a_score_that_the_broker_refuses_for_its_size_becomes_a_dead_letter(lab: Lab) -> None:
    lab.configure(AGENT)
    admin.create_topic(lab.address, lab.scores, PARTITIONS, max_message_bytes=SMALL)
    records = [native_run("before", "agent"), too_large(), native_run("after", "agent")]
    lab.send(records)
    wait_for_samples(lab, 2)
    (letter,) = letters_of(lab, 1)
    facts = facts_of(letter)
    assert (facts["stage"], facts["reason"]) == ("publish", "too_large")
    assert facts["topic"] == lab.runs
    assert facts["partition"] == str(records[1].partition)
    assert b'"run_id":"large"' in letter.value
    assert {score["run_id"] for score in lab.read_json(lab.scores)} == {"before", "after"}


def test_a_dead_letter_that_the_broker_refuses_for_its_size_is_cut_until_it_fits(lab: Lab) -> None:
    lab.configure(AGENT)
    for name in (lab.scores, lab.dead_letters):
        admin.create_topic(lab.address, name, PARTITIONS, max_message_bytes=SMALL)
    broken = b"{" + b"y" * 200_000
    lab.send([Sending(broken, 1), too_large(), native_run("after", "agent")])
    wait_for_samples(lab, 1)
    letters = letters_of(lab, 2)
    assert {facts_of(letter)["stage"] for letter in letters} == {"decode", "publish"}
    for letter in letters:
        facts = facts_of(letter)
        assert facts["truncated"] == "true"
        assert facts["topic"] == lab.runs
    (head,) = (letter.value for letter in letters if facts_of(letter)["stage"] == "decode")
    assert head
    assert broken.startswith(head)


def test_a_verdict_that_the_broker_refuses_for_its_size_stands_all_the_same(lab: Lab) -> None:
    lab.configure(AGENT)
    admin.create_topic(
        lab.address,
        lab.verdicts,
        PARTITIONS,
        cleanup_policy="compact",
        max_message_bytes="200",
    )
    lab.send([native_run("run", "agent")])
    worker = lab.start_worker()
    wait_until("it passed", lambda: worker.verdict("agent", WINDOW) == "passed")
    wait_until("it is logged", lambda: logged(worker, "verdict not published"))

from typing import Any

import pytest
from aiokafka import ConsumerRecord

from tests.integration.kafka import admin
from tests.integration.kafka.logs import logged
from tests.integration.lab import PANES_EVERY, PARTITIONS, WINDOW, Lab
from tests.integration.replays import replay
from tests.integration.runs import native_run, runs_saying
from tests.integration.topics import Sending
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

AGENT = {"agent": "agent", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}
SMALL = "1500"
"""Bytes that a topic takes in one record: enough for a usual score."""
TINY = "200"
"""Bytes for which a dead letter's own headers are too large."""
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


def wait_for_samples(lab: Lab, samples: int) -> Worker:
    worker = lab.start_worker()
    wait_until(
        "the stream went on",
        lambda: worker.figures().value("window_samples", agent="agent") == samples,
    )
    return worker


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
        max_message_bytes=TINY,
    )
    lab.send([native_run("run", "agent")])
    worker = lab.start_worker()
    wait_until("it passed", lambda: worker.verdict("agent", WINDOW) == "passed")
    wait_until("it is logged", lambda: logged(worker, "verdict not published"))


def test_what_becomes_no_dead_letter_at_all_is_told_and_the_stream_goes_on(lab: Lab) -> None:
    lab.configure(AGENT)
    admin.create_topic(lab.address, lab.scores, PARTITIONS, max_message_bytes=SMALL)
    admin.create_topic(lab.address, lab.dead_letters, PARTITIONS, max_message_bytes=TINY)
    lab.send([Sending(b"{", 1), too_large(), native_run("after", "agent")])
    worker = wait_for_samples(lab, 1)
    lines = wait_until("both are told", lambda: two(logged(worker, "dead letter not published")))
    broken, large = sorted(lines, key=lambda line: line["stage"])
    assert (broken["topic"], broken["partition"], broken["offset"]) == (lab.runs, 1, 0)
    assert (broken["stage"], broken["reason"]) == ("decode", "truncated_json")
    assert (large["stage"], large["reason"]) == ("publish", "too_large")
    assert f"topic {lab.dead_letters}" in large["error"]
    assert "raise its max.message.bytes" in large["error"]
    wait_until("all is behind it", lambda: worker.figures().total("consumer_lag_records") == 0)
    assert not lab.read(lab.dead_letters)
    assert worker.stop() == 0


def two(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two lines, or none yet."""
    return lines if len(lines) == 2 else []


def test_panes_that_the_broker_refuses_for_their_size_are_kept_no_more(lab: Lab) -> None:
    lab.configure(AGENT)
    admin.create_topic(lab.address, lab.panes, PARTITIONS, max_message_bytes=SMALL)
    lab.send(runs_saying("agent", ["fine"] * 2 * PANES_EVERY))
    worker = wait_for_samples(lab, 2 * PANES_EVERY)
    (line,) = wait_until("it is told", lambda: logged(worker, "panes cannot be kept"))
    assert f"topic {lab.panes}: a record of" in line["error"]
    lab.send([native_run("after", "agent")])
    assert worker.stop() == 0
    wait_for_samples(lab, 2 * PANES_EVERY + 1)


def test_a_replays_score_that_the_broker_refuses_for_its_size_is_counted_and_left_out(
    lab: Lab,
) -> None:
    lab.configure(AGENT)
    target = f"{lab.scores}-replay"
    admin.create_topic(lab.address, target, PARTITIONS, max_message_bytes=SMALL)
    lab.send([native_run("before", "agent"), too_large(), native_run("after", "agent")])
    ended = replay(lab, "--to-topic", target, "--json")
    assert ended.exit_code == 0
    assert (ended.summary["scored"], ended.summary["refused"]) == (3, 1)
    assert {score["run_id"] for score in lab.read_json(target)} == {"before", "after"}

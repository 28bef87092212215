"""A cluster that grants nothing but what deploy/README.md says is needed."""

import re

import pytest

from live_scoring.core.score import Failure, Source
from live_scoring.formats.dead_letter import dead_letter_headers
from tests.integration.kafka import admin
from tests.integration.kafka.locked import login, rights_of
from tests.integration.kafka.logs import logged, reason_to_end
from tests.integration.kafka.rights import grant
from tests.integration.kafka.secured import LOCKED, SecuredLab
from tests.integration.lab import PARTITIONS, WINDOW
from tests.integration.runs import native_run
from tests.integration.topics import Sending, send
from tests.integration.waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

LOST = Failure("decode", "not_json", "no JSON")
WORK = [native_run("run", "agent"), Sending(b"no run", 0)]


def test_a_worker_works_with_the_documented_rights_alone(locked_lab: SecuredLab) -> None:
    grant(locked_lab.address, LOCKED, rights_of("run", locked_lab))
    worker = locked_lab.start_at("login", "--no-create-topics", **login(locked_lab))
    locked_lab.send(WORK)
    wait_until("it passed", lambda: worker.verdict("agent", WINDOW) == "passed")
    wait_until("the fleet page shows it", lambda: worker.verdicts()[0]["verdict"] == "passed")
    wait_until("a dead letter is there", lambda: locked_lab.read(locked_lab.dead_letters))
    unchecked = logged(worker, "cannot check a topic's settings")
    checked = {locked_lab.scores, locked_lab.panes, locked_lab.verdicts}
    assert {line["topic"] for line in unchecked} == checked
    assert all("grant DescribeConfigs" in line["error"] for line in unchecked)


NO_TOPIC = "topic {name}: does not exist, or lacks the right Describe"
NO_READ = "AuthorizationFailedError: {name}; grant the worker's user Read"
NO_WRITE = "topic {name}: cannot publish: .*; grant the worker's user Write"


@pytest.mark.parametrize(
    ("operation", "what", "told"),
    [
        pytest.param("Read", "runs", NO_TOPIC, id="read-runs"),
        pytest.param("Read", "scores", NO_READ, id="read-scores"),
        pytest.param("Write", "scores", NO_WRITE, id="write-scores"),
        pytest.param("Read", "verdicts", NO_READ, id="read-verdicts"),
        pytest.param("Write", "verdicts", NO_WRITE, id="write-verdicts"),
        pytest.param("Write", "dead_letters", NO_TOPIC, id="write-dead-letters"),
        pytest.param("Read", "group", NO_READ, id="read-group"),
    ],
)
def test_a_missing_right_is_named(
    operation: str, what: str, told: str, locked_lab: SecuredLab
) -> None:
    name = getattr(locked_lab, what)
    granted = [
        right
        for right in rights_of("run", locked_lab)
        if (right.operation, right.name.removesuffix("*")) != (operation, name)
    ]
    grant(locked_lab.address, LOCKED, granted)
    worker = locked_lab.start_at("login", "--no-create-topics", **login(locked_lab))
    locked_lab.send(WORK)
    assert re.search(told.format(name=re.escape(name)), reason_to_end(worker))


@pytest.mark.parametrize(
    ("command", "options", "said"),
    [
        ("replay", ["--topic", "{runs}"], "1 scored"),
        ("backtest", [], "no_data → passed"),
        ("inspect", ["--topic", "{runs}"], "1 run"),
        ("dead-letters retry", ["--yes", "--force"], "1  sent back"),
    ],
    ids=["replay", "backtest", "inspect", "retry"],
)
def test_a_command_works_with_its_documented_rights_alone(
    command: str, options: list[str], said: str, locked_lab: SecuredLab
) -> None:
    admin.create_topic(locked_lab.address, f"{locked_lab.scores}-replay", PARTITIONS)
    locked_lab.send([native_run("run", "agent")])
    headers = tuple(dead_letter_headers(LOST, Source(locked_lab.runs, 0, 0, 1)))
    send(locked_lab.address, locked_lab.dead_letters, [Sending(b"no run", 0, headers=headers)])
    grant(locked_lab.address, LOCKED, rights_of(command, locked_lab))
    given = [option.format(runs=locked_lab.runs) for option in options]
    assert said in locked_lab.output_of(*command.split(), *given, **login(locked_lab))


def test_without_create_a_missing_topic_is_told_with_what_to_do(secured_lab: SecuredLab) -> None:
    grant(secured_lab.address, LOCKED, rights_of("run", secured_lab))
    reason = reason_to_end(secured_lab.start_at("login", **login(secured_lab)))
    assert "grant Create, or create it yourself" in reason

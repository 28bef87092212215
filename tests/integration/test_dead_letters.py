"""Dead letters on a real broker: counted, shown, and sent back once, whatever dies between."""

import asyncio
import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable

import orjson
import pytest
from aiokafka import ConsumerRecord
from click.testing import CliRunner, Result

from live_scoring.adapters.kafka import count_partitions
from live_scoring.cli import main
from live_scoring.config import load_config
from live_scoring.core.score import Failure, Source
from live_scoring.formats.dead_letter import dead_letter_headers
from tests.integration import topics
from tests.integration.lab import PARTITIONS, Lab
from tests.integration.runs import native_run, now_ms
from tests.integration.topics import Sending
from tests.integration.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.integration

AGENT = {"agent": "agent-1", "gates": {"fine": {"includes": "fine"}}}
FAILURE = Failure("decode", "missing_field", "run_id: Field required")
STEPS = ("nothing was sent", "it was begun", "it was sent", "it was marked")


def run(lab: Lab, *arguments: str) -> Result:
    command = ["dead-letters", arguments[0], "--config", str(lab.config), *arguments[1:]]
    return CliRunner().invoke(main, command)


def bury(lab: Lab, count: int, at_ms: int) -> None:
    """Write the dead letters of runs that could not be read and now can, each of them twice."""
    topics.create_topic(lab.address, lab.dead_letters, PARTITIONS)
    letters = []
    for number in range(count):
        source = Source(lab.runs, number % PARTITIONS, number, at_ms)
        headers = tuple(dead_letter_headers(FAILURE, source, [("trace", b"%d" % number)]))
        run = native_run(f"run-{number}", "agent-1")
        letters.append(Sending(run.value, source.partition, b"key", headers=headers))
    topics.send(lab.address, lab.dead_letters, [*letters, *letters[: count // 2]])


def run_ids(records: Iterable[ConsumerRecord]) -> Counter[str]:
    return Counter(orjson.loads(record.value)["run_id"] for record in records)


def test_what_a_wrong_format_buried_is_scored_once_it_is_mended_and_sent_back(lab: Lab) -> None:
    lab.configure(AGENT)
    right = (lab.config / "worker.yaml").read_text()
    (lab.config / "worker.yaml").write_text(
        right.replace("topics:\n", f"topics:\n  formats: {{{lab.runs}: mastra}}\n")
    )
    lab.send([native_run("run-1", "agent-1"), native_run("run-2", "agent-1"), Sending(b"{", 0)])
    worker = lab.start_worker("--only", "scoring")
    wait_until("three are buried", lambda: ": 3 dead letters" in run(lab, "list").stdout)
    counts = json.loads(run(lab, "list", "--json").stdout)["counts"]
    position = next(c["example"] for c in counts if c["reason"] == "missing_field")
    assert "today     still cannot be read: missing_field" in run(lab, "show", position).stdout
    assert worker.stop() == 0
    # Another group, since the first one's would wait until its session has ended.
    (lab.config / "worker.yaml").write_text(right.replace(lab.group, f"{lab.group}-2", 1))
    shown = run(lab, "show", position).stdout
    assert "failed    decode: missing_field: " in shown
    assert "today     can be read (native): run run-" in shown
    result = run(lab, "retry", "--yes")
    assert result.exit_code == 1, "one still cannot be read"
    assert f"      2  sent back to {lab.runs}\n      1  not sent: still" in result.stdout
    worker = lab.start_worker("--only", "scoring")
    wait_until("both are read again", lambda: worker.figures().total("runs_consumed_total") == 4)
    again = run(lab, "retry", "--yes", "--reason", "missing_field")
    assert (again.exit_code, again.stdout) == (0, "      2  not sent: sent back before\n")
    listed = run(lab, "list").stdout
    assert f"decode  missing_field   {lab.runs}  2        2  " in listed
    assert listed.endswith(": 4 dead letters, 2 retried, 0 foreign records\n"), "one came again"


def test_a_letter_comes_back_as_its_record_was(lab: Lab) -> None:
    lab.configure(AGENT)
    at_ms = now_ms() - 3_600_000
    bury(lab, 2, at_ms)
    assert run(lab, "retry", "--yes").exit_code == 0
    for number, record in enumerate(lab.read(lab.runs)):
        assert (record.partition, record.key, record.timestamp) == (number, b"key", at_ms)
        assert record.headers == (
            ("trace", b"%d" % number),
            ("retried-from", f"{lab.dead_letters}/{number}/0".encode()),
        )


def test_a_topic_that_does_not_exist_is_told_and_not_created(lab: Lab) -> None:
    lab.configure(AGENT)
    name = lab.dead_letters
    sentence = (
        f"{name}: does not exist, as no worker has started here, or lacks the right Describe\n"
    )
    for command in ("list", "retry"):
        result = run(lab, command)
        assert (result.exit_code, result.stdout) == (0, sentence)
    shown = run(lab, "show", "0:17")
    assert shown.exit_code == 2
    assert shown.stderr.startswith(f"{lab.dead_letters}: 0:17: no record; ")
    config = load_config(lab.config, {}).worker
    assert asyncio.run(count_partitions(config.kafka, [lab.dead_letters])) == {}


def test_foreign_records_are_counted_and_hurt_nothing(lab: Lab) -> None:
    lab.configure(AGENT)
    bury(lab, 1, now_ms())
    topics.send(
        lab.address,
        lab.dead_letters,
        [Sending(b"\x1b[2J", 1), Sending(b"", 1, headers=(("stage", b"\xff"),))],
    )
    assert run(lab, "list").stdout.endswith("1 dead letter, 0 retried, 2 foreign records\n")
    assert "a foreign record" in run(lab, "show", "1:0").stderr
    assert "1:2: no record; take a position" in run(lab, "show", "1:2").stderr
    assert run(lab, "show", "1:0", "--raw").stdout_bytes == b"\x1b[2J"
    assert run(lab, "retry", "--yes").exit_code == 0
    assert len(lab.read(lab.runs)) == 1


def test_a_dry_run_sends_nothing(lab: Lab) -> None:
    lab.configure(AGENT)
    bury(lab, 4, now_ms())
    result = run(lab, "retry", "--dry-run", "--from", "1h")
    assert result.stdout == (
        f"      4  would be sent back to {lab.runs}\n"
        "      2  not sent: of the same record as another\n"
    )
    assert lab.read(lab.runs) == []
    assert len(lab.read(lab.dead_letters)) == 6


@pytest.mark.parametrize("deliveries", range(4), ids=STEPS)
def test_a_retry_that_is_killed_after_a_step_is_ended_by_the_next_and_sends_nothing_twice(
    lab: Lab, deliveries: int
) -> None:
    lab.configure(AGENT)
    bury(lab, 8, now_ms())
    dying = [sys.executable, "-m", "tests.integration.dying", str(lab.config), str(deliveries)]
    assert (
        subprocess.run(dying, timeout=PATIENCE_SECONDS, check=False).returncode == -signal.SIGKILL
    )
    assert len(lab.read(lab.runs)) == (8 if deliveries >= 2 else 0)
    assert run(lab, "retry", "--yes").exit_code == 0
    assert run_ids(lab.read(lab.runs)) == Counter(f"run-{number}" for number in range(8))
    assert run(lab, "list").stdout.endswith("12 dead letters, 12 retried, 0 foreign records\n")

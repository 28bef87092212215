import re
from pathlib import Path

import pytest

from tests.integration.lab import WINDOW, Lab
from tests.integration.runs import native_run, runs_saying
from tests.integration.topics import Sending
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration

AGENTS = tuple(f"agent-{number}" for number in range(8))
METRIC_TABLE = Path("deploy/README.md")


def asked(agent: str) -> dict[str, object]:
    return {"agent": agent, "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}


def spoken_for(worker: Worker) -> set[str]:
    return {labels["agent"] for labels, _ in worker.figures().having("verdict_state")}


def consumed(worker: Worker) -> float:
    return worker.figures().total("runs_consumed_total")


def test_the_series_of_a_revoked_partition_vanish(lab: Lab) -> None:
    lab.configure(*map(asked, AGENTS))
    first = lab.start_worker()
    wait_until("one speaks for all", lambda: spoken_for(first) == set(AGENTS))
    second = lab.start_worker()

    def is_shared() -> bool:
        one, other = spoken_for(first), spoken_for(second)
        return bool(one and other) and one | other == set(AGENTS) and not one & other

    wait_until("each speaks for its own", is_shared)
    lab.send([native_run(f"run-{agent}", agent) for agent in AGENTS])
    wait_until("the first knows the fleet", lambda: len(first.verdicts()) == len(AGENTS))
    wait_until("the second knows the fleet", lambda: len(second.verdicts()) == len(AGENTS))
    assert second.stop() == 0
    wait_until("one speaks for all again", lambda: spoken_for(first) == set(AGENTS))


def test_sigterm_commits_what_is_confirmed(lab: Lab) -> None:
    lab.configure(asked("agent-0"))
    first = lab.start_worker()
    first.wait_ready()
    lab.send(runs_saying("agent-0", ["fine"] * 50))
    wait_until("all are read", lambda: consumed(first) == 50)
    assert first.stop() == 0
    second = lab.start_worker()
    second.wait_ready()
    lab.send([native_run("one-more", "agent-0")])
    wait_until("the one more is read", lambda: consumed(second) > 0)
    assert consumed(second) == 1


def test_the_two_halves_run_as_processes_of_their_own(lab: Lab) -> None:
    lab.configure(asked("agent-0"))
    scoring = lab.start_worker("--only", "scoring")
    verdicts = lab.start_worker("--only", "verdicts")
    scoring.wait_ready()
    verdicts.wait_ready()
    lab.send(runs_saying("agent-0", ["fine"] * 10))
    wait_until("it passed", lambda: verdicts.verdict("agent-0", WINDOW) == "passed")
    assert consumed(scoring) == 10
    assert consumed(verdicts) == 0
    assert spoken_for(scoring) == set()


def test_missing_topics_end_a_worker_that_may_not_create_them(lab: Lab) -> None:
    lab.configure(asked("agent-0"))
    worker = lab.start_worker("--no-create-topics")
    assert worker.process.wait(60) != 0
    command = f"kafka-topics.sh --bootstrap-server {lab.address} --create --topic {lab.scores} "
    told = (
        f"topic {lab.scores}: does not exist, or lacks the right Describe; create it with {command}"
    )
    assert told in worker.log.read_text()


def test_a_dead_letter_has_the_bytes_the_reason_and_the_source(lab: Lab) -> None:
    lab.configure(asked("agent-0"))
    worker = lab.start_worker()
    worker.wait_ready()
    lab.send([Sending(b"{no json", 2, key=b"some-key")])
    (letter,) = wait_until("a dead letter", lambda: lab.read(lab.dead_letters))
    assert (letter.value, letter.key) == (b"{no json", b"some-key")
    facts = dict(letter.headers)
    assert facts["topic"] == lab.runs.encode()
    assert (facts["partition"], facts["offset"]) == (b"2", b"0")
    assert facts["stage"] == b"decode"


def test_an_unknown_agent_is_named_and_no_text_of_a_run_is_logged(lab: Lab) -> None:
    lab.configure(asked("agent-0"))
    worker = lab.start_worker()
    worker.wait_ready()
    text = "the-text-of-a-run"
    lab.send(
        [
            native_run("a", "agent-0", text),
            native_run("b", "stranger", text),
            Sending(f'{{"run_id": "{text}'.encode(), 0),
        ]
    )
    wait_until("the stranger is named", lambda: "stranger" in page(worker, "/api/agents"))
    assert worker.stop() == 0
    assert text not in worker.log.read_text()


def test_the_page_has_every_metric_of_the_table(lab: Lab) -> None:
    lab.configure(asked("agent-0") | {"scorers": {"tells": {"includes": "f", "threshold": 0.5}}})
    worker = lab.start_worker()
    worker.wait_ready()
    lab.send(runs_saying("agent-0", ["fine"] * 2))
    wait_until("it passed", lambda: worker.verdict("agent-0", WINDOW) == "passed")
    told = set(re.findall(r"^# TYPE (live_scoring_\w+) ", page(worker, "/metrics"), re.M))
    table = set(re.findall(r"^\| `(live_scoring_\w+)` \|", METRIC_TABLE.read_text(), re.M))
    assert table
    unasked = {"live_scoring_score_value", "live_scoring_notifications_total"}
    assert table - told == unasked, "all but those that are there only where they are asked for"


def test_the_pages_tell_that_it_lives_and_is_ready(lab: Lab) -> None:
    lab.configure(asked("agent-0"))
    worker = lab.start_worker()
    worker.wait_ready()
    live = worker.get("/livez")
    assert live is not None
    assert live.status_code == 200


def page(worker: Worker, path: str) -> str:
    found = worker.get(path)
    return "" if found is None else found.text

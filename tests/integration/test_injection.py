"""Hostile names, texts and headers reach every place where something is said, and act in none."""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as prometheus

from tests.integration.lab import WINDOW, Lab
from tests.integration.runs import native_run
from tests.integration.topics import Sending
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration

TOKEN = "correct-horse-battery"  # noqa: S105 -- of no worker but this
HOSTILE = 'x"\n\\\x1b[31m</script><script>alert()</script><injected>\u202e\u2028\x9b1m{a="y"} 1'
SAID = f"{HOSTILE} m4rk3r"
SPY = "spy_of_injection"
PAGES = ("/", "/metrics", "/api/verdicts", "/api/agents")
AGENT = {
    "agent": "x*",
    "windows": [WINDOW],
    "split_by": ["environment"],
    "gates": {"fine": {"equals": "fine"}, "no-errors": "no_tool_errors"},
}


class Elements(HTMLParser):
    """What a browser makes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


def hostile_records() -> list[Sending]:
    tool = {"name": HOSTILE, "is_error": True, "args": SAID, "result": SAID}
    output = [{"role": "assistant", "text": SAID, "tool_invocations": [tool]}]
    use = f"{SPY}:factory"
    fields: dict[str, Any] = {
        "output": output,
        "tags": {"environment": HOSTILE, "use": use},
        "trace_id": HOSTILE,
        "use": use,
        "with": {},
    }
    run = native_run(HOSTILE, HOSTILE, **fields)
    headers = (("use", use.encode()), ("agent-id", HOSTILE.encode()), (HOSTILE, HOSTILE.encode()))
    odd = (("format", use.encode()), ("content-type", HOSTILE.encode()))
    return [
        Sending(run.value, 0, headers=headers),
        Sending(native_run("run", f"stranger{HOSTILE}").value, 0, key=HOSTILE.encode()),
        Sending(run.value, 0, headers=odd),
        Sending(HOSTILE.encode(), 0, headers=headers),
    ]


@pytest.fixture
def spy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is there once anyone has imported the module `SPY`."""
    trace = tmp_path / "imported"
    code = f"open({str(trace)!r}, 'w').close()\ndef factory(): return lambda run: 1\n"
    (tmp_path / f"{SPY}.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return trace


@pytest.fixture
def worker(lab: Lab, spy: Path) -> Worker:  # noqa: ARG001 -- is to be on its path
    lab.configure(AGENT)
    started = lab.start_worker(WEB__TOKEN=TOKEN)
    lab.send(hostile_records())
    wait_until("it failed", lambda: started.figures().having("verdict_state", verdict="failed"))
    wait_until("a dead letter is there", lambda: lab.read(lab.dead_letters))
    return started


def asked(worker: Worker, path: str, accept: str = "*/*") -> str:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": accept}
    answer = httpx.get(f"http://{worker.address}{path}", headers=headers)
    assert answer.status_code == 200
    return answer.text


def verdicts_of(worker: Worker) -> list[dict[str, str]]:
    found: list[dict[str, str]] = orjson.loads(asked(worker, "/api/verdicts"))["verdicts"]
    return found


def test_hostile_names_act_nowhere_and_load_nothing(worker: Worker, spy: Path) -> None:
    wait_until("the fleet shows it", lambda: [v for v in verdicts_of(worker) if v["group"]])
    plain, open_ = (
        asked(worker, "/metrics"),
        asked(worker, "/metrics", "application/openmetrics-text"),
    )
    both = prometheus(plain), openmetrics(open_)  # type: ignore[no-untyped-call]  # theirs
    for families in both:
        agents = {s.labels.get("agent") for family in families for s in family.samples}
        assert agents == {None, HOSTILE}
    verdicts = verdicts_of(worker)
    assert {(v["agent_id"], v["group"]) for v in verdicts} == {
        (HOSTILE, HOSTILE.replace("/", "%2F"))
    }
    assert f"stranger{HOSTILE}" in orjson.loads(asked(worker, "/api/agents"))["unknown"]

    page = asked(worker, f"/?use={SPY}:factory&state=failed")
    elements = Elements(page)
    assert elements.tags.count("script") == 1
    assert "injected" not in elements.tags
    assert elements.handlers == []
    assert "\x1b" not in page
    assert "alert()" in page

    worker.stop()
    log = worker.log.read_bytes()
    assert b"\x1b" not in log
    assert [line for line in log.splitlines() if not orjson.loads(line)["message"]] == []
    assert not spy.exists()


def test_no_word_of_a_run_and_no_secret_is_told(lab: Lab, worker: Worker) -> None:
    check = [sys.executable, "-m", "live_scoring", "check-config", "--config", str(lab.config)]
    checked = subprocess.run(check, capture_output=True, check=True, text=True)
    told = [asked(worker, path) for path in PAGES] + [checked.stdout, checked.stderr]
    told += [str(record) for topic in (lab.scores, lab.verdicts) for record in lab.read(topic)]
    assert httpx.get(f"http://{worker.address}/", params={"token": TOKEN}).status_code == 401
    worker.stop()
    told.append(worker.log.read_text())
    assert not [text for text in told if TOKEN in text or "m4rk3r" in text]


def test_a_scorer_is_loaded_from_the_configuration(lab: Lab, spy: Path) -> None:
    gates = {"own": {"use": f"{SPY}:factory"}}
    lab.configure({"agent": "agent", "windows": [WINDOW], "gates": gates})
    check = [sys.executable, "-m", "live_scoring", "check-config", "--config", str(lab.config)]
    subprocess.run(check, capture_output=True, check=True)
    assert spy.exists()

"""A fleet of real workers under the rules of `deploy/`, with Prometheus and Alertmanager."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

from tests.integration import alertmanager, hook_server, prometheus
from tests.integration.alertmanager import hastened
from tests.integration.hook_server import Hook
from tests.integration.lab import PARTITIONS, Lab
from tests.integration.prometheus import Prometheus
from tests.integration.runs import runs_saying
from tests.integration.topics import Sending
from tests.integration.waiting import wait_until

FACTOR = 60
"""What times in rules and routes are divided by: an hour of theirs is a minute here."""

_DEPLOY = Path(__file__).parents[2] / "deploy"
_WINDOW = "15s"
_ASKED = {"windows": [_WINDOW], "gates": {"fine": {"includes": "fine"}}}
_CAREFUL = {"windows": [_WINDOW], "gates": {"never": {"excludes": "never", "critical": True}}}


def spread(name: str, count: int, every: int | None) -> list[Sending]:
    """Runs of the agent that goes wrong, all partitions alike; of so many the last one fails."""
    texts = ["bad" if every and n % every == every - 1 else "fine" for n in range(count)]
    return [
        replace(run, partition=(number + number // 20) % PARTITIONS)
        for number, run in enumerate(runs_saying("broken", texts, name))
    ]


class Traffic:
    """Runs of the agent that goes wrong, 100 at a time, until it is stopped."""

    def __init__(self, lab: Lab) -> None:
        """Begin with five failing runs in a hundred."""
        self.every: int | None = 20
        self._lab, self._sent, self._is_over = lab, 0, Event()
        self._thread = Thread(target=self._flow)
        self._thread.start()

    def _flow(self) -> None:
        while not self._is_over.wait(0.2):
            self._lab.send(spread(f"batch-{self._sent}", 100, self.every))
            self._sent += 1

    def stop(self) -> None:
        """Send no more."""
        self._is_over.set()
        self._thread.join()


class Fleet:
    """Two workers, and the file that tells Prometheus where they are."""

    def __init__(self, lab: Lab, targets: Path) -> None:
        """Start both."""
        self._lab, self._targets = lab, targets
        self._workers = [lab.start_worker(), lab.start_worker()]
        self._settle()

    def restart_in_turn(self) -> None:
        """Replace each worker by a new one, the second once the first is ready."""
        for place, worker in enumerate(self._workers):
            worker.stop()
            self._workers[place] = self._lab.start_worker()
            self._settle()

    def _settle(self) -> None:
        addresses = [worker.address for worker in self._workers]
        self._targets.write_text(json.dumps([{"targets": addresses}]))
        for worker in self._workers:
            worker.wait_ready()


@dataclass
class Stage:
    """What is on it, and what happened when, in seconds since the epoch."""

    lab: Lab
    fleet: Fleet
    server: Prometheus
    page: Hook
    info: Hook
    moments: dict[str, float] = field(default_factory=dict)

    def note(self, moment: str) -> None:
        """Note that this happens now."""
        self.moments[moment] = time.time()

    def print_time(self, since: str, until: str) -> None:
        """Print how long it took from one moment to the other."""
        seconds = self.moments[until] - self.moments[since]
        told = f"{since} to {until}: {seconds:.1f} s, with rules {FACTOR} times as fast"
        print(told)  # noqa: T201 -- `pytest -rP` shows it

    def figure(self, expr: str) -> float:
        """The sum of what an expression is now."""
        return sum(series.values[0] for series in self.server.at(expr, time.time()))

    def pages_of(self, agent: str) -> list[str]:
        """The status of each page about an agent."""
        posts = [posted.body for posted in self.page.posts]
        return [body["status"] for body in posts if body["groupLabels"].get("agent") == agent]

    def alerts(self, hook: Hook) -> list[dict[str, Any]]:
        """All alerts that a webhook was told of, in order."""
        return [alert for posted in hook.posts for alert in posted.body["alerts"]]


@contextmanager
def staged(lab: Lab, folder: Path) -> Iterator[Stage]:
    """Two workers, scraped and judged every second, until the context ends."""
    lab.configure(
        {"agent": "broken"} | _ASKED,
        {"agent": "careful"} | _CAREFUL,
        windows={_WINDOW: {"min_samples": 1}},
    )
    targets = folder / "targets.json"
    routes = hastened((_DEPLOY / "alertmanager" / "alertmanager.yml").read_text(), FACTOR)
    with ExitStack() as stack:
        page, info = (stack.enter_context(hook_server.serving()) for _ in range(2))
        webhooks = {"page": page.url, "info": info.url}
        address = stack.enter_context(alertmanager.serving(folder, routes, webhooks))
        fleet = Fleet(lab, targets)
        config = _scraping(targets, _hastened_rules(folder), address)
        server = stack.enter_context(prometheus.serving(folder, folder / "data", config))
        stage = Stage(lab, fleet, server, page, info)
        # What a counter holds when it is first scraped is no increase of it.
        scraped = "count(live_scoring_build_info)"
        wait_until("both workers are scraped", lambda: stage.figure(scraped) == 2)
        stage.note("start")
        yield stage


def _hastened_rules(folder: Path) -> Path:
    (rules := folder / "rules").mkdir()
    for path in (_DEPLOY / "prometheus" / "rules").glob("*.yml"):
        (rules / path.name).write_text(hastened(path.read_text(), FACTOR))
    return rules


def _scraping(targets: Path, rules: Path, alertmanager_address: str) -> dict[str, Any]:
    scraped = {"job_name": "live-scoring", "file_sd_configs": [{"files": [str(targets)]}]}
    told = {"static_configs": [{"targets": [alertmanager_address]}]}
    return {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [f"{rules}/*.yml"],
        "alerting": {"alertmanagers": [told]},
        "scrape_configs": [scraped],
    }

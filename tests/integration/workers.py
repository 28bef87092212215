"""Real workers as processes, and what their pages say."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.integration.asking import ask
from tests.integration.waiting import PATIENCE_SECONDS, wait_until


class Figures:
    """The samples of a metrics page; names without the prefix."""

    def __init__(self, page: str) -> None:
        """Parse the text format."""
        self._samples = [
            (sample.name.removeprefix("live_scoring_"), sample.labels, sample.value)
            for family in text_string_to_metric_families(page)
            for sample in family.samples
        ]

    def having(self, name: str, **labels: str) -> list[tuple[Mapping[str, str], float]]:
        """Labels and values of the samples of that name that carry these labels."""
        return [
            (found, value)
            for sample, found, value in self._samples
            if sample == name and labels.items() <= found.items()
        ]

    def naming(self, agent_id: str) -> set[str]:
        """Names of the samples that an agent has."""
        return {name for name, labels, _ in self._samples if labels.get("agent") == agent_id}

    def total(self, name: str, **labels: str) -> float:
        """Their sum; 0 without any."""
        return sum(value for _, value in self.having(name, **labels))

    def value(self, name: str, **labels: str) -> float | None:
        """The one value; None if it is absent."""
        found = self.having(name, **labels)
        if len(found) > 1:
            raise LookupError(f"{name}{labels} is {len(found)} series")
        return found[0][1] if found else None


class Worker:
    """`live-scoring run` as a process."""

    def __init__(self, config: Path, port: int, log: Path, *options: str, **variables: str) -> None:
        """Start it.

        Args:
            config: Its configuration.
            port: Its pages are served on it.
            log: What it says is written there.
            options: Of the command.
            variables: Of its environment, without `LIVE_SCORING_` before them.
        """
        self.log = log
        self.address = f"127.0.0.1:{port}"
        self._url = f"http://{self.address}"
        command = [sys.executable, "-m", "live_scoring", "run", "--config", str(config), *options]
        given = {f"LIVE_SCORING_{name}": value for name, value in variables.items()}
        environment = os.environ | {"LIVE_SCORING_WEB__PORT": str(port)} | given
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command, env=environment, stdout=output, stderr=subprocess.STDOUT
            )

    def get(self, path: str) -> httpx.Response | None:
        """A page; None while the worker does not answer."""
        if self.process.poll() is not None:
            raise RuntimeError(f"the worker ended: {self.log.read_text()[-2_000:]}")
        return ask(self._url + path)

    def is_ready(self) -> bool:
        """Whether it says so."""
        page = self.get("/readyz")
        return page is not None and page.status_code == 200

    def wait_ready(self) -> None:
        """Wait until it is ready."""
        wait_until("the worker is ready", self.is_ready)

    def figures(self) -> Figures:
        """What its metrics page says; nothing while it does not answer."""
        page = self.get("/metrics")
        return Figures(page.text if page is not None else "")

    def verdicts(self) -> list[dict[str, Any]]:
        """The newest verdict of every agent, group and window of the fleet."""
        page = self.get("/api/verdicts")
        found: list[dict[str, Any]] = page.json()["verdicts"] if page is not None else []
        return found

    def verdict(self, agent_id: str, window: str) -> str | None:
        """The verdict that its metrics show; None if it shows none."""
        states = self.figures().having("verdict_state", agent=agent_id, window=window)
        return next((labels["verdict"] for labels, value in states if value == 1), None)

    def reload(self) -> None:
        """Ask it to read its configuration again."""
        self.process.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        """`kill -9`."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to end and give its exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE_SECONDS)

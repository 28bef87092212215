"""A real Prometheus, and what it answers."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.integration.lab import free_port
from tests.integration.waiting import wait_until


@dataclass(frozen=True, slots=True)
class Series:
    """A line of an answer."""

    labels: Mapping[str, str]
    values: Sequence[float]
    """In order of time; one if it was asked for a moment."""


class Prometheus:
    """A server that runs."""

    def __init__(self, client: httpx.Client) -> None:
        """Take a client with its address: a new one for each question takes most of the time."""
        self._client = client

    def is_ready(self) -> bool:
        """Whether it says so."""
        try:
            return self._client.get("/-/ready").status_code == httpx.codes.OK
        except httpx.TransportError:
            return False

    def at(self, expr: str, moment: float) -> list[Series]:
        """What an expression was at a moment, in seconds since the epoch."""
        found = self._get("query", query=expr, time=moment)
        return [Series(_labels(one), (float(one["value"][1]),)) for one in found["result"]]

    def over(self, expr: str, start: float, end: float, step: float) -> list[Series]:
        """What it was over a time, in seconds since the epoch."""
        found = self._get("query_range", query=expr, start=start, end=end, step=step)
        return [
            Series(_labels(one), tuple(float(value) for _, value in one["values"]))
            for one in found["result"]
        ]

    def values_of(self, label: str, selector: str) -> list[str]:
        """The values that a label has in the series of a selector."""
        found: list[str] = self._get(f"label/{label}/values", **{"match[]": selector})
        return found

    def exemplars(self, expr: str, start: float, end: float) -> list[Mapping[str, str]]:
        """Labels of the exemplars that the series of an expression have."""
        found = self._get("query_exemplars", query=expr, start=start, end=end)
        return [exemplar["labels"] for series in found for exemplar in series["exemplars"]]

    def _get(self, path: str, **parameters: str | float) -> Any:
        answer = self._client.get(f"/api/v1/{path}", params=parameters).json()
        if answer["status"] != "success":
            raise ValueError(f"{parameters}: {answer['error']}")
        return answer["data"]


def program(name: str) -> str:
    """A program of Debian's package, or the test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (Debian: package prometheus)")
    return found


@contextmanager
def serving(
    folder: Path, data: Path, config: Mapping[str, Any], *options: str
) -> Iterator[Prometheus]:
    """A Prometheus on a data folder, until the context ends; log and configuration in `folder`."""
    path, address = folder / "prometheus.yml", f"127.0.0.1:{free_port()}"
    path.write_text(yaml.safe_dump(dict(config)))
    command = [
        program("prometheus"),
        f"--config.file={path}",
        f"--storage.tsdb.path={data}",
        "--storage.tsdb.retention.time=100y",
        f"--web.listen-address={address}",
        *options,
    ]
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"http://{address}", timeout=30) as client:
            server = Prometheus(client)
            wait_until("Prometheus is ready", server.is_ready)
            yield server
    finally:
        process.terminate()
        process.wait()


def make_blocks(openmetrics: Path, data: Path) -> None:
    """Make OpenMetrics text a data folder's own."""
    tsdb = [program("promtool"), "tsdb", "create-blocks-from", "openmetrics"]
    made = subprocess.run(
        [*tsdb, str(openmetrics), str(data)], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr


def _labels(answer: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = answer["metric"]
    return found

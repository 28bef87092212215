"""The OpenTelemetry Collector with its Kafka exporter: builds it once, and runs it."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from live_scoring.adapters.embedded_broker import HOST, leashed
from tests.cache import made_once
from tests.integration.asking import ask
from tests.integration.lab import free_port
from tests.integration.waiting import wait_until

VERSION = "v0.165.0"
_BUILD_SECONDS = 600
"""Measured at 136 s on two shared cores, modules fetched; 45 MB."""


class UnavailableError(Exception):
    """The Collector cannot be built on this machine."""


def built() -> Path:
    """The Collector's program, from the cache outside the checkout if it was built before.

    Raises:
        UnavailableError: There is no Go, or the modules cannot be had.
    """
    return made_once(f"otelcol-{VERSION}", _build)


def _build(folder: Path) -> Path:
    go = shutil.which("go")
    if go is None:
        raise UnavailableError("there is no go on this machine")
    core, contrib = "go.opentelemetry.io/collector", "github.com/open-telemetry"
    exporter = f"{contrib}/opentelemetry-collector-contrib/exporter/kafkaexporter"
    parts = {
        "dist": {"name": "otelcol", "module": "live-scoring/otelcol", "output_path": str(folder)},
        "receivers": [{"gomod": f"{core}/receiver/otlpreceiver {VERSION}"}],
        "exporters": [{"gomod": f"{exporter} {VERSION}"}],
    }
    manifest = folder / "builder.yaml"
    manifest.write_text(yaml.safe_dump(parts))
    try:
        made = subprocess.run(
            [go, "run", f"{core}/cmd/builder@{VERSION}", "--config", str(manifest)],
            capture_output=True,
            check=False,
            text=True,
            timeout=_BUILD_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(f"go did not build it within {_BUILD_SECONDS} s") from error
    if made.returncode:
        raise UnavailableError(f"go cannot build it: {made.stderr[-500:]}")
    return folder / "otelcol"


@contextmanager
def running(program: Path, folder: Path, exporter: Mapping[str, Any]) -> Iterator[str]:
    """Run it with these settings of its Kafka exporter; gives the address that takes OTLP."""
    address = f"{HOST}:{free_port()}"
    settings = {
        "receivers": {"otlp": {"protocols": {"http": {"endpoint": address}}}},
        "exporters": {"kafka": dict(exporter)},
        "service": {
            "telemetry": {"metrics": {"level": "none"}},  # else it takes a port of its own
            "pipelines": {"traces": {"receivers": ["otlp"], "exporters": ["kafka"]}},
        },
    }
    config = folder / "collector.yaml"
    config.write_text(yaml.safe_dump(settings))
    with (folder / "collector.log").open("ab") as log:
        process = subprocess.Popen(
            leashed(str(program), "--config", str(config)), stdout=log, stderr=subprocess.STDOUT
        )
    try:
        wait_until("the Collector is ready", lambda: ask(f"http://{address}") is not None)
        yield f"http://{address}"
    finally:
        process.terminate()
        process.wait()

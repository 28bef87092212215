"""The services of docker-compose.yml as processes of this machine, from the very same files.

A host of the containers' network becomes a port here, and a path in a container a folder.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from live_scoring.adapters.embedded_broker import HOST, leashed
from tests.deploy.compose import read_compose
from tests.deploy.confinement import confined, is_possible
from tests.deploy.tools import ROOT
from tests.integration.kafka.apache import Node
from tests.integration.lab import free_port
from tests.integration.waiting import PATIENCE_SECONDS


class Unit:
    """One machine's services, and where they are."""

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        """Give each of them a place; none runs yet.

        Args:
            folder: For what they keep, and their logs.
            variables: Those that docker-compose.yml takes.
        """
        self.services: Mapping[str, Any] = read_compose(variables)["services"]
        self.folder = folder
        self._ports: dict[str, int] = {}

    def port(self, address: str) -> int:
        """The port here of an address there."""
        return self._ports.setdefault(address, free_port())

    def url(self, address: str) -> str:
        """The web address here of an address there."""
        return f"http://{HOST}:{self.port(address)}"

    def here(self, text: str, *addresses: str) -> str:
        """A text in which addresses of there are those of here.

        Raises:
            LookupError: The text has no such address.
        """
        for address in addresses:
            if address not in text:
                raise LookupError(f"there is no {address} in {text}")
            text = text.replace(address, f"{HOST}:{self.port(address)}")
        return text

    def kafka(self, classpath: str) -> Node:
        """The broker, which can be started."""
        text = _read("deploy/compose/server.properties")
        text = text.replace("INSIDE://:19092", "INSIDE://kafka:19092")
        text = text.replace("OUTSIDE://:9092", "OUTSIDE://localhost:9092")
        text = self.here(text, "kafka:19092", "localhost:9092", "localhost:9093")
        text = text.replace("/var/lib/kafka/data", str(self.folder / "kafka"))
        ports = [self.port("kafka:19092"), self.port("localhost:9092")]
        return Node(classpath, self.folder, text, ports)

    def environment(self, service: str) -> dict[str, str]:
        """That of a container of our own."""
        given: Mapping[str, str] = self.services[service]["environment"]
        ours = {
            name: self.here(v, "kafka:19092") if "kafka" in v else v for name, v in given.items()
        }
        return os.environ | ours | {"LIVE_SCORING_WEB__PORT": str(self.port("worker:9464"))}

    def live_scoring(self, service: str, arguments: Sequence[str]) -> list[str]:
        """What runs a container of our own, confined as there if this machine can do so."""
        mounted = ROOT / self.services[service]["volumes"][0].partition(":")[0]
        given = [argument.replace("/etc/live-scoring", str(mounted)) for argument in arguments]
        command = [sys.executable, "-m", "live_scoring", *given]
        is_seen = not ROOT.is_relative_to("/tmp")  # noqa: S108 -- there it has a /tmp of its own
        return confined({}, *command) if is_seen and is_possible() else command

    def flags(self, service: str, places: Mapping[str, str]) -> list[str]:
        """The flags of a service, with paths of there replaced by those of here."""
        flags: list[str] = self.services[service]["command"]
        for there, here in places.items():
            flags = [flag.replace(f"={there}", f"={here}") for flag in flags]
        return flags

    @contextmanager
    def running(
        self, name: str, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> Iterator["subprocess.Popen[bytes]"]:
        """Run a service until the context ends."""
        with (self.folder / f"{name}.log").open("ab") as log:
            program = shutil.which(command[0]) or command[0]
            leash = leashed(program, *command[1:])
            process = subprocess.Popen(leash, env=environment, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")

"""The image without an engine: its commands run here, on this machine's Python.

Debian's packages are left out: they only matter where Faust is compiled.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.deploy.confinement import confined, is_possible, mounting
from tests.deploy.dockerfile import Instruction, stages
from tests.deploy.tools import ROOT, UnavailableError, run

CONFIG = "/srv"
"""Where a configuration is mounted: /etc/live-scoring cannot be made in this machine's root."""


class NativeImage:
    """What the Dockerfile makes, in a folder."""

    def __init__(self, folder: Path) -> None:
        """Build it.

        Raises:
            UnavailableError: This machine lets nobody make name spaces.
        """
        if not is_possible():
            raise UnavailableError("the name spaces of an image need Linux and its root")
        self._opt, self._source, self._python = (folder / name for name in ("opt", "src", "python"))
        self._opt.mkdir()
        self._source.mkdir()
        _require(run([sys.executable, "-m", "venv", self._python]))
        build, self._last = stages()
        for instruction in build:
            self._follow(instruction)

    def _follow(self, instruction: Instruction) -> None:
        if instruction.keyword == "COPY":
            *sources, target = instruction.arguments.split()
            for source in sources:
                _copy(ROOT / source, self._source / target)
        elif instruction.keyword == "RUN" and "apt-get" not in instruction.arguments:
            command = re.sub(r"^--mount=\S+ ", "", instruction.arguments)
            path = f"{self._python / 'bin'}:{os.environ['PATH']}"
            step = mounting({"/opt": self._opt}, "bash", "-ec", command)
            _require(run(step, os.environ | {"PATH": path}, folder=self._source))

    def environment(self) -> dict[str, str]:
        """That of a process of the image."""
        own = {"PATH": os.environ["PATH"]}
        for instruction in self._last:
            if instruction.keyword == "ENV":
                pairs = (pair.split("=", 1) for pair in instruction.arguments.split())
                own |= {name: value.replace("${PATH}", own["PATH"]) for name, value in pairs}
        return own

    def command(self, config: Path, *arguments: str) -> list[str]:
        """What runs its entry point, with a configuration mounted at `CONFIG`."""
        (entry,) = (i.arguments for i in self._last if i.keyword == "ENTRYPOINT")
        return self.process(config, *json.loads(entry), *arguments)

    def process(self, config: Path, *command: str) -> list[str]:
        """What runs a command in it."""
        return confined({"/opt": self._opt, CONFIG: config}, *command)

    def files(self) -> Iterator[Path]:
        """All that the last stage takes over."""
        return (self._opt / "live-scoring").rglob("*")


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def _require(ended: "subprocess.CompletedProcess[str]") -> None:
    if ended.returncode:
        raise RuntimeError(f"{ended.args}: {ended.stdout[-1_000:]}{ended.stderr[-2_000:]}")

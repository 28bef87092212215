"""The image without an engine: its commands run here, in name spaces that show them its folders.

What differs: Python is this machine's, Debian's packages are left out, and the user stays root, for
another one may not read that Python. Root has no capabilities, though, and nothing to write to.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.deploy.dockerfile import Instruction, stages
from tests.deploy.tools import ROOT, UnavailableError, run

_OPT = "/opt"
CONFIG = "/srv"
"""Where the configuration is mounted: /etc/live-scoring cannot be made in a foreign root."""
_MOUNTED = 'mount --make-rprivate / && mount --bind "$0" /opt && shift 0'
_CONFINED = """\
mount --bind "$1" /srv
mount -t tmpfs tmpfs /tmp
mount -o remount,bind,ro /opt
mount -o remount,bind,ro /srv
mount -o remount,bind,ro /
cd /tmp
shift
exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
"""


class NativeImage:
    """What the Dockerfile makes, in a folder."""

    def __init__(self, folder: Path) -> None:
        """Build it.

        Raises:
            UnavailableError: This machine lets nobody make name spaces.
        """
        self._opt, self._source = folder / "opt", folder / "src"
        self._opt.mkdir()
        self._source.mkdir()
        if sys.platform != "linux" or run(["unshare", "--mount", "true"]).returncode:
            raise UnavailableError("the name spaces of an image need Linux and its root")
        self._python = folder / "python"
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
            _require(self._run_in_stage(command))

    def _run_in_stage(self, command: str) -> "subprocess.CompletedProcess[str]":
        path = f"{self._python / 'bin'}:{os.environ['PATH']}"
        return run(
            ["unshare", "--mount", "bash", "-ec", f"{_MOUNTED}\n{command}", self._opt],
            os.environ | {"PATH": path},
            folder=self._source,
        )

    def environment(self, settings: Mapping[str, str]) -> dict[str, str]:
        """That of a process of the image with these settings."""
        own: dict[str, str] = {"PATH": os.environ["PATH"]}
        for instruction in self._last:
            if instruction.keyword == "ENV":
                pairs = (pair.split("=", 1) for pair in instruction.arguments.split())
                own |= {name: value.replace("${PATH}", own["PATH"]) for name, value in pairs}
        own.pop("LIVE_SCORING_REVISION")  # what it is built with
        return own | dict(settings)

    def command(self, config: Path, *arguments: str) -> list[str]:
        """What runs its entry point on a read-only root, with `config` where `CONFIG` says.

        Args:
            config: A folder.
            arguments: Instead of the image's own.
        """
        given = arguments or tuple(self._words("CMD"))
        return self.confined(config, *self._words("ENTRYPOINT"), *map(_there, given))

    def health_check(self, config: Path) -> list[str]:
        """What runs its health check."""
        (check,) = (i.arguments for i in self._last if i.keyword == "HEALTHCHECK")
        return self.confined(config, *json.loads(check.partition("CMD ")[2]))

    def confined(self, config: Path, *command: str) -> list[str]:
        """What runs a command as a container would: it may write to /tmp alone."""
        script = f"{_MOUNTED}\n{_CONFINED}"
        return ["unshare", "--mount", "bash", "-ec", script, str(self._opt), str(config), *command]

    def _words(self, keyword: str) -> list[str]:
        (found,) = (i.arguments for i in self._last if i.keyword == keyword)
        words: list[str] = json.loads(found)
        return words

    def files(self) -> Iterator[Path]:
        """All that the last stage takes over, by its path in the image."""
        taken = self._opt / "live-scoring"
        return (path.relative_to(taken) for path in taken.rglob("*"))


def _there(argument: str) -> str:
    return argument.replace("/etc/live-scoring", CONFIG)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def _require(ended: "subprocess.CompletedProcess[str]") -> None:
    if ended.returncode:
        raise RuntimeError(f"{ended.args}: {ended.stdout[-1_000:]}{ended.stderr[-2_000:]}")

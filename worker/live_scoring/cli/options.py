"""What commands share: options, arguments and exit codes."""

# ruff: noqa: PLC0415 -- a command imports what it runs: Faust alone takes half a second

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

if TYPE_CHECKING:
    from live_scoring.adapters.files import RunFile

FAILED, UNUSABLE = 1, 2
"""Exit codes: what was checked is not well; it could not be checked at all."""

with_config = click.option(
    "--config",
    "folder",
    type=click.Path(path_type=Path),
    default="config",
    show_default=True,
    help="Folder of worker.yaml, defaults.yaml and agents/.",
)


with_format = click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="What the runs come in; each is looked at if this is left out.",
)
with_servers = click.option(
    "--bootstrap-servers", "servers", metavar="HOST:PORT,…", help="Brokers to ask first."
)
with_topic = click.option("--topic", metavar="NAME", help="Read the newest records of this topic.")
with_json = click.option("--json", "is_json", is_flag=True, help="Print JSON.")
RUNS = click.Path(path_type=Path, allow_dash=True)


def run_file(path: Path, *, is_shown: bool = True) -> "RunFile":
    """The file that an argument names; on a terminal a bar shows how far it is read, if asked."""
    from rich.console import Console

    from live_scoring.adapters.files import RunFile

    return RunFile(path, _stdin(), Console(stderr=True, force_terminal=None if is_shown else False))


def _stdin() -> BinaryIO | None:
    """Standard input; None where whoever started the process has closed it."""
    return None if sys.stdin is None else click.get_binary_stream("stdin")

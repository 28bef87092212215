"""The command `inspect`."""

# ruff: noqa: PLC0415 -- a command imports what it runs

import os
from pathlib import Path
from typing import Any

import click

from live_scoring.cli.options import (
    RUNS,
    run_file,
    with_format,
    with_json,
    with_servers,
    with_topic,
)
from live_scoring.cli.output import log_lines, print_lines

_USUAL_FOLDER = Path("config")


@click.command()
@click.argument("file", type=RUNS, required=False)
@with_topic
@with_servers
@click.option(
    "--config",
    "folder",
    type=click.Path(path_type=Path),
    help="Folder of worker.yaml; config if there is one.",
)
@with_format
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help="Records at most; else all of a file and the newest 20 of a topic.",
)
@with_json
def inspect(
    file: Path | None, folder: Path | None, servers: str | None, *, is_json: bool, **options: Any
) -> None:
    """Show what records are: their format, the run each became, what was not understood.

    FILE holds a record a line, or is one; - is standard input. A topic is read outside any group.
    With --json each line is an object: format, run and not_understood; run is null where there
    is none.
    """
    from live_scoring.inspection.command import inspect as inspect_records
    from live_scoring.inspection.sought import Sought, reaching

    if not file:
        log_lines()
    folder = folder or (_USUAL_FOLDER if _USUAL_FOLDER.is_dir() else None)
    sought = Sought(run_file(file, is_shown=False) if file else None, **options)
    print_lines(inspect_records(sought, folder, reaching(servers, os.environ), is_json=is_json))

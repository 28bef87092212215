"""The command `init`."""

# ruff: noqa: PLC0415 -- a command imports what it runs

import os
from pathlib import Path
from typing import Any

import click

from live_scoring.cli.options import RUNS, run_file, with_format, with_servers, with_topic
from live_scoring.cli.output import log_lines, print_lines


@click.command()
@click.argument("file", type=RUNS, required=False)
@with_topic
@with_servers
@click.option(
    "--config",
    "folder",
    type=click.Path(path_type=Path),
    default="config",
    show_default=True,
    help="Folder to write; may hold a worker.yaml, which stays.",
)
@with_format
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help="Records at most; else all of a file and the newest 1,000 of a topic.",
)
@click.option("--with-cases", "has_cases", is_flag=True, help="Make cases of runs: their text.")
def init(
    file: Path | None, folder: Path, servers: str | None, *, has_cases: bool, **options: Any
) -> None:
    """Write a configuration to start from, made of the runs in a sample.

    The sample is FILE (a record a line, or one; - is standard input) or the newest records of a
    topic. Each agent that it holds gets a file with gates that its runs pass. Nothing is
    overwritten; a worker.yaml that is there says how to read the sample.
    """
    from live_scoring.inspection.sought import Sought, reaching
    from live_scoring.starter.command import init as write_starter

    if not file:
        log_lines()
    sought = Sought(run_file(file) if file else None, **options)
    report = write_starter(sought, folder, reaching(servers, os.environ), has_cases=has_cases)
    print_lines(report.lines)
    for warning in report.warnings:
        click.echo(f"warning: {warning}", err=True)

"""The command `backtest`."""

# ruff: noqa: PLC0415 -- a command imports what it runs

import os
from pathlib import Path
from typing import Any

import click

from live_scoring.cli.options import FAILED, RUNS, run_file, with_config, with_format, with_json
from live_scoring.cli.output import log_lines, print_lines

_FOLDER = click.Path(path_type=Path)
_PAGE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("runs", type=RUNS, required=False)
@with_config
@click.option("--against", type=_FOLDER, help="Folder of the policy to compare with.")
@click.option("--topic", "topics", multiple=True, help="Topic of runs; may be repeated.")
@click.option("--from", "since", metavar="TIME", help="First time of runs, or an age: 7d.")
@click.option("--to", "until", metavar="TIME", help="End of their time, itself left out.")
@click.option("--agent", "agents", metavar="GLOB", multiple=True, help="Only these agents.")
@with_format
@with_json
@click.option("--html", "page", type=_PAGE, help="Write a page with timelines to this file.")
@click.option(
    "--fail-on",
    multiple=True,
    type=click.Choice(["failed", "scored"]),
    help="Exit 1 if an agent ends with this verdict or a worse one, or if no run was scored.",
)
@click.pass_context
def backtest(  # noqa: PLR0913 -- what is read, and in how many ways it is told
    ctx: click.Context,
    /,
    runs: Path | None,
    folder: Path,
    *,
    is_json: bool,
    page: Path | None,
    fail_on: tuple[Any, ...],
    **options: Any,
) -> None:
    """Tell what a policy would have said of the past: topics, or a file of runs.

    Nothing is written to Kafka. Exits 0, or with --fail-on 1 if an agent ends with that verdict or
    no run was scored.
    """
    from rich.console import Console

    from live_scoring.backtest.as_json import to_record
    from live_scoring.backtest.as_text import to_text
    from live_scoring.backtest.command import BacktestOptions, fails
    from live_scoring.backtest.command import backtest as try_policy
    from live_scoring.core.wire import to_json

    log_lines()
    if page is not None:  # before the past is read: its library may be missing
        from live_scoring.backtest.as_html import write_page

    file = None if runs is None else run_file(runs, is_shown=False)
    given = BacktestOptions(file=file, **options)
    found = try_policy(folder, os.environ, given, Console(stderr=True))
    for note in found.notes:
        click.echo(f"note: {note}", err=True)
    if page is not None:  # first, as whoever reads the lines may close them early
        write_page(page, found)
    if is_json:
        print_lines([to_json(to_record(found)).decode()])
    else:
        print_lines(to_text(found, is_coloured=Console().is_terminal))
    if fails(found, fail_on):
        ctx.exit(FAILED)

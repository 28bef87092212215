"""The command `replay`."""

# ruff: noqa: PLC0415 -- a command imports what it runs

import os
from pathlib import Path
from typing import Any

import click

from live_scoring.cli.options import RUNS, run_file, with_config, with_format, with_json
from live_scoring.cli.output import log_lines, print_lines

_OUTPUT = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("runs", type=RUNS, required=False)
@with_config
@click.option("--topic", "topics", multiple=True, help="Topic of runs; may be repeated.")
@click.option("--from", "since", metavar="TIME", help="First time of records, or an age: 7d.")
@click.option("--to", "until", metavar="TIME", help="End of their time, itself left out.")
@click.option("--offsets", metavar="P:FIRST-LAST,…", help="Offsets instead, by partition.")
@click.option("--agent", "agents", metavar="GLOB", multiple=True, help="Only these agents.")
@with_format
@click.option("--name", help="What the scores carry; else made of topic and time.")
@click.option("--to-topic", metavar="NAME", help="Publish scores here (the default).")
@click.option("--to-file", type=_OUTPUT, help="Write scores here, one JSON object a line.")
@click.option("--to-openmetrics", type=_OUTPUT, help="Write the windows' history for promtool.")
@click.option("--dry-run", "is_dry_run", is_flag=True, help="Write nothing, count.")
@click.option("--checkpoint", type=_OUTPUT, help="Keep here how far it is, to go on after a kill.")
@click.option("--rate", type=click.FloatRange(min=0.1), help="Records a second at most.")
@with_json
@click.pass_context
def replay(
    ctx: click.Context, /, runs: Path | None, folder: Path, *, is_json: bool, **options: Any
) -> None:
    """Score a bounded stretch of the past: topics, or a file of runs.

    Without a range all that is there is read; the end is fixed at the start. It joins no group and
    touches no live metric. Without another place to write, scores go to a topic named as the live
    scores topic with -replay behind it.
    """
    from rich.console import Console

    from live_scoring.replay.command import replay as replay_past
    from live_scoring.replay.options import ReplayOptions
    from live_scoring.replay.summary import to_json_line, to_text

    log_lines()
    file = None if runs is None else run_file(runs, is_shown=False)
    given = ReplayOptions(file=file, **options)
    report = replay_past(folder, os.environ, given, Console(stderr=True))
    if report.complaint:
        click.echo(report.complaint, err=True)
    if report.summary:
        print_lines([to_json_line(report.summary)] if is_json else to_text(report.summary))
    ctx.exit(report.exit_code)

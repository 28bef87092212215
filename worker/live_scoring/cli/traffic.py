"""The command `traffic`."""

# ruff: noqa: PLC0415 -- a command imports what it runs

import os
import sys
from pathlib import Path

import click

from live_scoring.cli.options import with_config


@click.command()
@with_config
@click.option(
    "--rate",
    type=click.FloatRange(min=0.1, max=5_000),
    default=50,
    show_default=True,
    help="Runs a second, of all agents together.",
)
def traffic(folder: Path, rate: float) -> None:
    """Send runs of the demo's four agents to the first runs topic, until SIGTERM."""
    from logging.config import dictConfig

    from live_scoring.demo.endless import send_traffic
    from live_scoring.live.logs import logging_config

    dictConfig(logging_config(is_terminal=sys.stderr.isatty()))
    send_traffic(folder, os.environ, rate, click.echo)

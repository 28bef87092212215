"""The commands that need a broker or bring their own: `run` and `demo`."""

# ruff: noqa: PLC0415 -- a command imports what it runs: Faust alone takes half a second

from pathlib import Path
from typing import TYPE_CHECKING

import click

from live_scoring.cli.options import with_config

if TYPE_CHECKING:
    from live_scoring.live.loops import Half


@click.command()
@with_config
@click.option("--only", type=click.Choice(["scoring", "verdicts"]), help="Run one half alone.")
@click.option(
    "--create-topics/--no-create-topics",
    default=True,
    help="Create topics that are missing (the default), or ask for them.",
)
@click.pass_context
def run(ctx: click.Context, folder: Path, only: "Half | None", *, create_topics: bool) -> None:
    """Run a worker until SIGTERM."""
    from live_scoring.live.hangup import hold_hangups

    hold_hangups()
    from live_scoring.live.host import run as run_worker

    ctx.exit(run_worker(folder, only, create_topics=create_topics))


@click.command()
@click.option(
    "--duration",
    type=click.FloatRange(min=15),
    default=60,
    show_default=True,
    help="Seconds of traffic.",
)
@click.pass_context
def demo(ctx: click.Context, duration: float) -> None:
    """Watch the real worker on an embedded broker, with traffic of four agents."""
    from rich.console import Console

    from live_scoring.demo.show import run_demo

    ctx.exit(run_demo(duration, Console()))

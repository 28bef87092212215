"""The command line: `live-scoring`; what a command does lives elsewhere."""

# ruff: noqa: PLC0415 -- a command imports what it runs: Faust alone takes half a second

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from live_scoring.core.errors import LiveScoringError

if TYPE_CHECKING:
    from live_scoring.live.loops import Half

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


class _Command(click.Command):
    """Tells an error of ours by its lines and an exit code, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except LiveScoringError as error:
            click.echo(str(error), err=True)
            ctx.exit(UNUSABLE)


class _Group(click.Group):
    command_class = _Command


@click.group(cls=_Group)
@click.version_option(package_name="live-scoring-worker")
def main() -> None:
    """Score AI agent runs live from Kafka and export verdicts to Prometheus."""


@main.command()
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
    from live_scoring.live.host import run as run_worker

    ctx.exit(run_worker(folder, only, create_topics=create_topics))


@main.command()
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


@main.command("check-config")
@with_config
@click.pass_context
def check_config(ctx: click.Context, folder: Path) -> None:
    """Check a configuration and run the cases beside it."""
    from live_scoring.check_config import check_config as check

    report = check(folder, os.environ)
    for line in report.summary:
        click.echo(line)
    for warning in report.warnings:
        click.echo(f"warning: {warning}", err=True)
    for failure in report.failures:
        click.echo(failure, err=True)
    if report.failures:
        ctx.exit(FAILED)

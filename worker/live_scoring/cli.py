"""The command line: `live-scoring`; what a command does lives elsewhere."""

import os
from pathlib import Path
from typing import Any, Literal

import click
from rich.console import Console

from live_scoring.check_config import check_config as check_folder
from live_scoring.core.errors import LiveScoringError

FAILED, UNUSABLE = 1, 2
"""Exit codes: what was checked is not well; it could not be checked at all."""

with_config = click.option(
    "--config",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default="config",
    show_default=True,
    help="Folder of worker.yaml, defaults.yaml and agents/.",
)


class _Command(click.Command):
    """Tells an error of ours by its lines and exit code 2, without a traceback."""

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


@main.command("check-config")
@with_config
def check_config(folder: Path) -> None:
    """Check a configuration and run the cases beside it."""
    report = check_folder(folder, os.environ)
    for line in report.summary:
        click.echo(line)
    for warning in report.warnings:
        click.echo(f"warning: {warning}", err=True)
    for failure in report.failures:
        click.echo(failure, err=True)
    if report.failures:
        click.get_current_context().exit(FAILED)


@main.command()
@with_config
@click.option(
    "--only", type=click.Choice(["scoring", "verdicts"]), help="Run one half of the worker."
)
@click.option(
    "--no-create-topics",
    "create_topics",
    flag_value=False,
    default=True,
    help="End with an error if a topic is missing.",
)
def run(folder: Path, only: Literal["scoring", "verdicts"] | None, *, create_topics: bool) -> None:
    """Score runs and judge agents until SIGTERM; SIGHUP reads the configuration again."""
    from live_scoring.live.host import run as run_worker  # noqa: PLC0415 -- Faust takes its time

    click.get_current_context().exit(run_worker(folder, only, create_topics=create_topics))


@main.command()
@click.option(
    "--duration",
    type=click.FloatRange(min=15),
    default=60,
    show_default=True,
    help="Seconds of traffic.",
)
def demo(duration: float) -> None:
    """Watch the real worker score four agents on a broker in memory."""
    from live_scoring.demo.show import run_demo  # noqa: PLC0415 -- nor does all of this

    click.get_current_context().exit(run_demo(duration, Console()))

"""The command line: `live-scoring`; what a command does lives elsewhere."""

# ruff: noqa: PLC0415 -- a command imports what it runs: Faust alone takes half a second

import errno
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from live_scoring.core.errors import LiveScoringError

if TYPE_CHECKING:
    from live_scoring.adapters.files import RunFile
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


def _known_format(_ctx: click.Context, _option: click.Parameter, name: str | None) -> str | None:
    from live_scoring.formats import FORMATS

    if name is None or name in FORMATS:
        return name
    raise click.BadParameter(f"{name!r} is none of {', '.join(FORMATS)}.")


with_format = click.option(
    "--format",
    "format_name",
    metavar="NAME",
    callback=_known_format,
    help="What the runs come in; each is looked at if this is left out.",
)
with_json = click.option("--json", "is_json", is_flag=True, help="Print JSON.")
RUNS = click.Path(path_type=Path, allow_dash=True)


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
    from live_scoring.live.hangup import hold_hangups

    hold_hangups()
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
    _print(report.summary)
    for warning in report.warnings:
        click.echo(f"warning: {warning}", err=True)
    for failure in report.failures:
        click.echo(failure, err=True)
    if report.failures:
        ctx.exit(FAILED)


@main.command("eval")
@click.argument("runs", type=RUNS)
@with_config
@with_format
@click.option("--json", "shape", flag_value="json", help="Print JSON.")
@click.option("--markdown", "shape", flag_value="markdown", help="Print Markdown.")
@click.option("--junit", type=click.Path(path_type=Path), help="Write JUnit XML to this file.")
@click.option("--strict", "is_strict", is_flag=True, help="Let a warning exit 1.")
@click.pass_context
def evaluate(ctx: click.Context, /, runs: Path, folder: Path, **options: Any) -> None:
    """Judge a file of runs, one a line, as one window.

    RUNS may be gzipped; - is standard input. Sampling applies as in the live worker, min_samples
    does not.

    Exits 1 if an agent failed, 2 if the command, the configuration, the file or a line of it
    cannot be used, else 0: an agent that is scored, or without a verdict, is a warning.
    """
    from live_scoring.offline.eval_command import EvalOptions, evaluate_file

    report = evaluate_file(_run_file(runs), folder, os.environ, EvalOptions(**options))
    _print(report.lines)
    for complaint in report.complaints:
        click.echo(complaint, err=True)
    ctx.exit(report.exit_code)


@main.command()
@click.argument("runs", metavar="RUN", type=RUNS)
@with_config
@with_format
@click.option("--run", "run_id", metavar="ID", help="Explain this run of a file of runs.")
@with_json
def explain(runs: Path, folder: Path, *, is_json: bool, **options: str | None) -> None:
    """Show what each scorer sees of a run, and why it answers so.

    RUN holds one run as JSON or, with --run, runs, one a line; - is standard input.
    """
    from live_scoring.offline.explain_command import explain_file
    from live_scoring.offline.explained import explanation_to_json, explanation_to_text

    explanation = explain_file(_run_file(runs), folder, os.environ, **options)
    _print([explanation_to_json(explanation)] if is_json else explanation_to_text(explanation))


@main.command("list-checks")
@click.argument("name", required=False)
@with_json
def list_checks(name: str | None, *, is_json: bool) -> None:
    """Say what every check, or the check NAME, does and takes."""
    from live_scoring.checks import CHECKS
    from live_scoring.offline.check_docs import docs_to_json, docs_to_text, document

    docs = document(CHECKS, name)
    _print([docs_to_json(docs)] if is_json else docs_to_text(docs))


def _run_file(path: Path) -> "RunFile":
    from rich.console import Console

    from live_scoring.adapters.files import RunFile

    return RunFile(path, _stdin(), Console(stderr=True))


def _stdin() -> BinaryIO | None:
    """Standard input; None where whoever started the process has closed it."""
    return None if sys.stdin is None else click.get_binary_stream("stdin")


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        try:
            click.echo(line)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends without a word, as whoever read has what they wanted
            _drop_output()
            message = f"stdout: cannot be written ({error.strerror}); check where it goes"
            raise LiveScoringError(message) from error


def _drop_output() -> None:
    """Let nothing be written at the end: what is still buffered would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

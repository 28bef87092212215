"""The commands that need no broker: `check-config`, `eval`, `explain` and `list-checks`."""

# ruff: noqa: PLC0415 -- a command imports what it runs

import os
from pathlib import Path
from typing import Any

import click

from live_scoring.cli.options import FAILED, RUNS, run_file, with_config, with_format, with_json
from live_scoring.cli.output import print_lines


@click.command("check-config")
@with_config
@click.pass_context
def check_config(ctx: click.Context, folder: Path) -> None:
    """Check a configuration and run the cases beside it."""
    from live_scoring.check_config import check_config as check

    report = check(folder, os.environ)
    print_lines(report.summary)
    for warning in report.warnings:
        click.echo(f"warning: {warning}", err=True)
    for failure in report.failures:
        click.echo(failure, err=True)
    if report.failures:
        ctx.exit(FAILED)


@click.command("eval")
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

    RUNS may also be one record over many lines, and gzipped; - is standard input.
    Sampling applies as in the live worker, min_samples does not.

    Exits 1 if an agent failed, 2 if the command, the configuration, the file or a line of it
    cannot be used, else 0: an agent that is scored, or without a verdict, is a warning.
    """
    from live_scoring.offline.eval_command import EvalOptions, evaluate_file

    report = evaluate_file(run_file(runs), folder, os.environ, EvalOptions(**options))
    print_lines(report.lines)
    for complaint in report.complaints:
        click.echo(complaint, err=True)
    ctx.exit(report.exit_code)


@click.command()
@click.argument("runs", metavar="RUN", type=RUNS)
@with_config
@with_format
@click.option("--run", "run_id", metavar="ID", help="Explain this run of a file of runs.")
@with_json
def explain(runs: Path, folder: Path, *, is_json: bool, **options: str | None) -> None:
    """Show what each scorer sees of a run, and why it answers so.

    RUN holds one run or, with --run, any number, one a line; - is standard input.
    """
    from live_scoring.offline.explain_command import explain_file
    from live_scoring.offline.explained import explanation_to_json, explanation_to_text

    explanation = explain_file(run_file(runs), folder, os.environ, **options)
    print_lines([explanation_to_json(explanation)] if is_json else explanation_to_text(explanation))


@click.command("list-checks")
@click.argument("name", required=False)
@with_json
def list_checks(name: str | None, *, is_json: bool) -> None:
    """Say what every check, or the check NAME, does and takes."""
    from live_scoring.checks import CHECKS
    from live_scoring.offline.check_docs import docs_to_json, docs_to_text, document

    docs = document(CHECKS, name)
    print_lines([docs_to_json(docs)] if is_json else docs_to_text(docs))

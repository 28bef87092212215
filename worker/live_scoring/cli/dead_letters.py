"""The commands `dead-letters list`, `show` and `retry`."""

# ruff: noqa: PLC0415 -- a command imports what it runs

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from live_scoring.cli.options import FAILED, with_config, with_json
from live_scoring.cli.output import log_lines, print_bytes, print_lines

if TYPE_CHECKING:
    from live_scoring.formats.dead_letter import Position

_POSITION = re.compile(r"([0-9]{1,9}):([0-9]{1,18})", re.ASCII)


@click.group("dead-letters")
def dead_letters() -> None:
    """List, show and send back records that could not be used."""
    log_lines()


@dead_letters.command("list")
@with_config
@with_json
def list_letters(folder: Path, *, is_json: bool) -> None:
    """Count dead letters by what failed and where they came from."""
    from live_scoring.dead_letters.command import list_letters as list_them

    print_lines(list_them(folder, os.environ, is_json=is_json))


def _position(_ctx: click.Context, _argument: click.Parameter, text: str) -> "Position":
    from live_scoring.formats.dead_letter import Position

    match = _POSITION.fullmatch(text)
    if not match:
        raise click.BadParameter(f"{text!r} is no position; give partition:offset, such as 0:17")
    return Position(int(match[1]), int(match[2]))


@dead_letters.command()
@click.argument("position", callback=_position)
@with_config
@click.option("--raw", "is_raw", is_flag=True, help="Write the exact bytes of the record.")
def show(position: "Position", folder: Path, *, is_raw: bool) -> None:
    """Show one dead letter, and what it would be today.

    POSITION is its partition and offset on the dead-letter topic, such as 0:17.
    """
    from live_scoring.dead_letters.command import read_bytes
    from live_scoring.dead_letters.command import show as show_it

    if is_raw:
        print_bytes(read_bytes(folder, os.environ, position))
    else:
        print_lines(show_it(folder, os.environ, position))


@dead_letters.command()
@with_config
@click.option("--stage", help="Only those that failed in this stage.")
@click.option("--reason", help="Only those that failed for this reason.")
@click.option("--topic", metavar="NAME", help="Only those whose records came from this topic.")
@click.option("--from", "since", metavar="TIME", help="Only those written then or later, or 7d.")
@click.option("--to", "until", metavar="TIME", help="Only those written before this time.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Say what would be sent, and send nothing.")
@click.option("--force", "is_forced", is_flag=True, help="Send what still cannot be read, too.")
@click.option("--yes", "is_sure", is_flag=True, help="Do not ask.")
@click.pass_context
def retry(  # noqa: PLR0913 -- which letters are sent, and how
    ctx: click.Context,
    /,
    folder: Path,
    *,
    is_dry: bool,
    is_forced: bool,
    is_sure: bool,
    since: str | None,
    until: str | None,
    **wanted: Any,
) -> None:
    """Send dead letters back to the topics their records came from, each once.

    Exits 1 if some of them still cannot be read or were refused by the broker.
    """
    from live_scoring.config.moments import parse_range
    from live_scoring.dead_letters.choosing import Wanted
    from live_scoring.dead_letters.command import RetryOptions
    from live_scoring.dead_letters.command import retry as send_back
    from live_scoring.live.clock import Clock

    options = RetryOptions(is_dry, is_forced, lambda question: is_sure or _agrees(question))
    from_ms, to_ms = parse_range(since, until, Clock().now_ms())
    asked = Wanted(from_ms=from_ms, to_ms=to_ms, **wanted)
    report = send_back(folder, os.environ, asked, options)
    print_lines(report.lines)
    if not report.is_well:
        ctx.exit(FAILED)


def _agrees(question: str) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise click.UsageError(f"{question} Nobody can be asked here; give --yes or --dry-run.")
    return click.confirm(question, err=True)

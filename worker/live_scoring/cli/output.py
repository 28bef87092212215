"""Printing so that a closed pipe ends quietly and a full disk is told; and logging beside it."""

import errno
import os
import sys
from collections.abc import Iterable

import click

from live_scoring.core.errors import LiveScoringError


def log_lines() -> None:
    """Log to standard error in lines for people, whoever reads them: all else there is no JSON."""
    from logging.config import dictConfig  # noqa: PLC0415 -- only commands that ask brokers log

    from live_scoring.live.logs import logging_config  # noqa: PLC0415 -- likewise

    dictConfig(logging_config(is_terminal=True))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines.

    Raises:
        LiveScoringError: Standard output cannot be written.
    """
    for line in lines:
        _echo(line + "\n")


def print_bytes(content: bytes) -> None:
    """Write bytes as they are.

    Raises:
        LiveScoringError: Standard output cannot be written.
    """
    _echo(content)


def _echo(content: str | bytes) -> None:
    try:
        click.echo(content, nl=False)
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # click ends without a word, as whoever read has what they wanted
        _drop_output()
        message = f"stdout: cannot be written ({error.strerror}); check where it goes"
        raise LiveScoringError(message) from error


def _drop_output() -> None:
    """Let nothing be written at the end: what is still buffered would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

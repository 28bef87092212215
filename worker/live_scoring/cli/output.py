"""Printing lines so that a closed pipe ends quietly and a full disk is told."""

import errno
import os
import sys
from collections.abc import Iterable

import click

from live_scoring.core.errors import LiveScoringError


def print_lines(lines: Iterable[str]) -> None:
    """Print lines.

    Raises:
        LiveScoringError: Standard output cannot be written.
    """
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

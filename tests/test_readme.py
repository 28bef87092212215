"""The table of commands in the README is that of the command line."""

from collections.abc import Iterator
from pathlib import Path

import click

from live_scoring.cli import main

README = Path(__file__).parents[1] / "README.md"
HEADING = "## Commands\n"


def rows() -> Iterator[str]:
    yield "| `live-scoring` … | options | does |"
    yield "| --- | --- | --- |"
    for name, command in main.commands.items():
        arguments = [p for p in command.params if isinstance(p, click.Argument)]
        options = [p for p in command.params if isinstance(p, click.Option)]
        written = " ".join((name, *(argument.human_readable_name for argument in arguments)))
        spelt = ", ".join(f"`{name}`" for option in options for name in spellings(option))
        yield f"| `{written}` | {spelt} | {command.get_short_help_str(200)} |"


def spellings(option: click.Option) -> list[str]:
    return [*option.opts, *option.secondary_opts]


def test_the_table_of_commands_is_that_of_the_command_line(is_updating: bool) -> None:
    text = README.read_text(encoding="utf-8")
    table = "\n" + "\n".join(rows()) + "\n\n"
    before, _, rest = text.partition(HEADING)
    body, section, after = rest.partition("## ")
    if is_updating:
        README.write_text(before + HEADING + table + section + after, encoding="utf-8")
    else:
        assert body == table

"""The README shows what is there: its commands, its configuration and its Python."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from live_scoring.cli import main

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
HEADING = "## Commands\n"


def rows() -> Iterator[str]:
    yield "| `live-scoring` … | options | does |"
    yield "| --- | --- | --- |"
    for name, command in commands(main):
        arguments = [p for p in command.params if isinstance(p, click.Argument)]
        options = [p for p in command.params if isinstance(p, click.Option)]
        written = " ".join((name, *(argument.human_readable_name for argument in arguments)))
        spelt = ", ".join(f"`{name}`" for option in options for name in spellings(option))
        yield f"| `{written}` | {spelt} | {command.get_short_help_str(200)} |"


def commands(group: click.Group, prefix: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield prefix + name, command


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


def blocks(language: str) -> list[str]:
    text = README.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M)


def test_the_agent_of_the_guide_is_the_one_that_lies_in_the_configuration() -> None:
    assert (ROOT / "config/agents/weather.yaml").read_text(encoding="utf-8") in blocks("yaml")


def test_what_check_config_answers_in_the_guide_is_what_it_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    answer = CliRunner().invoke(main, ["check-config", "--config", "config"]).output
    assert f"$ live-scoring check-config --config config\n{answer}" in blocks("console")


def test_the_evaluation_in_python_runs_as_it_stands() -> None:
    (script,) = (block for block in blocks("python") if "run_evals" in block)
    exec(script, {})  # noqa: S102 -- its own assertion is the test

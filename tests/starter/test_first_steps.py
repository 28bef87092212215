"""The first steps in the README come out as it shows them."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from live_scoring.cli import main
from tests.test_readme import blocks


def test_the_first_steps_of_the_guide_come_out_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (example,) = (block for block in blocks("json") if '"run-2"' in block)
    (tmp_path / "run.json").write_text(example, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command in ("inspect run.json", "init run.json --config weather"):
        answer = CliRunner().invoke(main, command.split()).output
        assert f"$ live-scoring {command}\n{answer}" in blocks("console")

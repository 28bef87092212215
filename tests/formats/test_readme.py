"""The README's section on formats shows what is read."""

import json
import re
from pathlib import Path

from live_scoring.core.run import AgentRun
from live_scoring.formats import FORMATS, Decoded, decode

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
_, _, SECTION = README.partition("## Point it at your telemetry\n")


def test_the_table_of_formats_names_each() -> None:
    table, _, _ = SECTION.partition("\n## ")
    cells = re.findall(r"^\| (`[\w`, ]+`) \|", table, re.MULTILINE)
    assert set(re.findall(r"\w+", " ".join(cells))) == FORMATS.keys()


def test_the_messages_of_the_example_are_the_run_that_the_guide_sends() -> None:
    sent, messages = (
        decode(json.dumps(json.loads(text)).encode())
        for text in re.findall(r'^```json\n(\{"run_id".*?)^```', README, re.MULTILINE | re.DOTALL)
    )
    assert isinstance(sent, Decoded)
    assert isinstance(messages, Decoded)
    assert messages.format_name == "openai_chat"
    assert told_in(messages.run) == told_in(sent.run)


def told_in(run: AgentRun) -> object:
    return run.agent_id, run.input, run.output

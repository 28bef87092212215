"""The reference's answers: files of cases in `CONFORMANCE_DIR`, by default the copy here."""

import json
import os
from pathlib import Path
from typing import Any

from live_scoring.core.run import AgentRun
from live_scoring.core.wire import to_json
from live_scoring.formats import Decoded, decode

FOLDER = Path(os.environ.get("CONFORMANCE_DIR") or Path(__file__).with_name("cases"))


def read_cases(kind: str) -> list[dict[str, Any]]:
    """Every case of `checks`, `sampling` or `verdicts`, at least one."""
    cases: list[dict[str, Any]] = []
    for path in sorted(FOLDER.glob(f"{kind}*.jsonl")):
        with path.open(encoding="utf-8") as lines:  # a line ends at \n only, not at U+2028
            cases += (json.loads(line) for line in lines)
    assert cases, f"no {kind}*.jsonl in {FOLDER}"
    return cases


def payload_with(output: list[dict[str, Any]]) -> dict[str, Any]:
    """Mastra's scorer payload of a run with this output."""
    return {"runId": "run", "entity": {"id": "agent"}, "output": output}


def run_with(output: list[dict[str, Any]]) -> AgentRun:
    """A run as a record brings it whose payload has this output.

    A message that lacks its role or content is refused here, lest another format pass for silence;
    the reference reads it as one that has neither, as this does.
    """
    messages = [{"role": "", "content": None} | message for message in output]
    answer = decode(to_json(payload_with(messages)))
    assert isinstance(answer, Decoded), answer
    return answer.run

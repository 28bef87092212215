"""The reference's answers: files of cases in `CONFORMANCE_DIR`, by default the copy here."""

import json
import os
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("CONFORMANCE_DIR") or Path(__file__).with_name("cases"))


def read_cases(kind: str) -> list[dict[str, Any]]:
    """Every case of `checks`, `sampling` or `verdicts`, at least one."""
    cases: list[dict[str, Any]] = []
    for path in sorted(FOLDER.glob(f"{kind}*.jsonl")):
        with path.open(encoding="utf-8") as lines:  # a line ends at \n only, not at U+2028
            cases += (json.loads(line) for line in lines)
    assert cases, f"no {kind}*.jsonl in {FOLDER}"
    return cases

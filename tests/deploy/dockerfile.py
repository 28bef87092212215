"""deploy/Dockerfile as a list of its instructions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.deploy.tools import ROOT

FILE = ROOT / "deploy/Dockerfile"


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, on one line."""

    keyword: str
    arguments: str


def stages() -> list[list[Instruction]]:
    """The instructions of each stage, from its FROM on."""
    found: list[list[Instruction]] = []
    for instruction in _instructions():
        if instruction.keyword == "FROM":
            found.append([])
        if found:
            found[-1].append(instruction)
    return found


def _instructions() -> Iterator[Instruction]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line:
            keyword, _, arguments = line.partition(" ")
            yield Instruction(keyword, arguments)

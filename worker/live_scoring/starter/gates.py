"""Gates that the runs which were seen pass, each with what was seen."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from live_scoring.starter.naming import Names
from live_scoring.starter.sample import Seen

_NEARLY_ALL = 0.9
_HARDLY = 0.5
"""A rule that fewer runs keep is none."""
_TOOLS, _CALLED = 50, 10
"""Tools that are listed at most, and that are asked for each."""
_MIN_FAILURES = 3


@dataclass(frozen=True, slots=True)
class StarterGate:
    """A gate as it is to be written."""

    seen: str
    """What was seen, for people."""
    name: str
    rule: Mapping[str, Any] | None
    """None where so few runs pass that it can only be suggested."""


def gates_for(seen: Sequence[Seen]) -> Iterator[StarterGate]:
    """Gates for one agent, or for several that share a file; each of them passes."""
    names = Names()
    runs = sum(one.runs for one in seen)
    sound = sum(one.sound for one in seen)
    yield StarterGate(
        f"No tool failed in {_of(sound, runs)}.",
        names.give("no-tool-errors"),
        _rule({"no_tool_errors": {}}, min(one.sound / one.runs for one in seen)),
    )
    speaking = sum(one.speaking for one in seen)
    yield StarterGate(
        f"{_of(speaking, runs)} said something.",
        names.give("says-something"),
        _rule({"length": {"min": 1}}, min(one.speaking / one.runs for one in seen)),
    )
    yield from _tool_gates(seen, runs, names)


def _tool_gates(seen: Sequence[Seen], runs: int, names: Names) -> Iterator[StarterGate]:
    tools = sorted({tool for one in seen for tool in one.callers})
    if not tools:
        rule = _rule({"used_no_tools": {}}, 1)
        yield StarterGate(f"{_of(0, runs)} called a tool.", names.give("no-tools"), rule)
        return
    yield from _called(seen, runs, names)
    most = max(one.most_calls for one in seen)
    yield StarterGate(
        f"The most calls that a run made are {most:,}; twice as many are allowed.",
        names.give("tool-calls"),
        _rule({"max_tool_calls": 2 * most}, 1),
    )
    if len(tools) <= _TOOLS and all(map(_is_writable, tools)):
        noun = "1 tool was" if len(tools) == 1 else f"{len(tools)} tools were"
        rule = _rule({"allowed_tools": tools}, 1)
        yield StarterGate(f"{noun} called.", names.give("known-tools"), rule)


def _called(seen: Sequence[Seen], runs: int, names: Names) -> Iterator[StarterGate]:
    """For each tool that nearly all runs of every agent call."""
    usual = [
        (share, tool)
        for tool in filter(_is_writable, seen[0].callers)
        if (share := min(one.callers[tool] / one.runs for one in seen)) >= _NEARLY_ALL
    ]
    for share, tool in sorted(usual, key=lambda both: (-both[0], both[1]))[:_CALLED]:
        callers = sum(one.callers[tool] for one in seen)
        rule = _rule({"called_tool": tool}, share)
        seen_so = f"{_of(callers, runs)} called {tool}."
        yield StarterGate(seen_so, names.give(f"called-{tool}"), rule)


def _rule(check: Mapping[str, Any], share: float) -> Mapping[str, Any] | None:
    """A gate that a share of runs may well pass: a twentieth less is asked, or 99 of 100."""
    if share < _HARDLY:
        return None
    ratio = 0.99 if share == 1 else math.floor(share * 95) / 100
    return {**check, "require": {"pass_ratio": ratio, "min_failures": _MIN_FAILURES}}


def _is_writable(tool: str) -> bool:
    """Whether YAML can hold the name: not with a lone surrogate."""
    try:
        tool.encode()
    except UnicodeEncodeError:
        return False
    return True


def _of(count: int, runs: int) -> str:
    return f"{count:,} of {runs:,} run{'s' * (runs != 1)}"

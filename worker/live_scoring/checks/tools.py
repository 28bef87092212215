"""Checks on the tools an agent called."""

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import ClassVar

from live_scoring.core.nearest import called_instead
from live_scoring.core.quote import counted, listed
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check, Count

_ANSWERS = 64
"""So many are kept: the runs of one agent mostly call the same few tools."""
_KEPT_CALLS, _KEPT_CHARACTERS = 50, 1_000
"""Of which an answer is kept: a hostile run holds 300,000 calls, or names of megabytes."""


class _OnCalledTools(Check):
    """A check of nothing but which tools were called, so that it need not answer twice alike."""

    def __call__(self, run: AgentRun) -> CheckResult:
        tools = run.called_tools
        if len(tools) > _KEPT_CALLS or sum(map(len, tools)) > _KEPT_CHARACTERS:
            return self._answer_to(tools)
        return self._answer(tools)

    @abstractmethod
    def _answer_to(self, tools: tuple[str, ...]) -> CheckResult: ...

    @cached_property
    def _answer(self) -> Callable[[tuple[str, ...]], CheckResult]:
        return lru_cache(_ANSWERS)(self._answer_to)


_NONE_FAILED = CheckResult.hit("no tool failed", failed_tools=())


class CalledTool(_OnCalledTools):
    """1 if `tool` was called at least `times` times, else 0; `times: 0` always passes."""

    id: ClassVar[str] = "check-called-tool"

    tool: str
    """Name of the tool, exactly."""
    times: Count = 1
    """How often at least."""

    def _answer_to(self, tools: tuple[str, ...]) -> CheckResult:
        count = tools.count(self.tool)
        reason = f"called {self.tool} {counted(count, 'time')}, expected at least {self.times}"
        if count >= self.times:
            return CheckResult.hit(reason, actual_count=count)
        return CheckResult.miss(f"{reason}; {called_instead(self.tool, tools)}", actual_count=count)


class DidNotCall(_OnCalledTools):
    """1 if `tool` was not called, else 0."""

    id: ClassVar[str] = "check-did-not-call"

    tool: str
    """Name of the tool, exactly."""

    def _answer_to(self, tools: tuple[str, ...]) -> CheckResult:
        count = tools.count(self.tool)
        reason = f"called {self.tool} {counted(count, 'time')}, expected none"
        return (CheckResult.miss if count else CheckResult.hit)(reason, actual_count=count)


class ToolOrder(_OnCalledTools):
    """1 if the tools of `expected_order` were called in this order, others between or not."""

    id: ClassVar[str] = "check-tool-order"

    expected_order: tuple[str, ...]
    """Names of tools; none is always in order."""

    def _answer_to(self, tools: tuple[str, ...]) -> CheckResult:
        rest = iter(tools)
        missing = next((tool for tool in self.expected_order if tool not in rest), None)
        reason = f"expected {listed(self.expected_order)} in this order; called: {listed(tools)}"
        if missing is None:
            return CheckResult.hit(reason, actual_tools=tools)
        return CheckResult.miss(f"no {missing:.80} in its place: {reason}", actual_tools=tools)


class MaxToolCalls(_OnCalledTools):
    """1 if at most `max` tool calls were made, else 0."""

    id: ClassVar[str] = "check-max-tool-calls"

    max: Count
    """How many calls are allowed, of all tools together."""

    def _answer_to(self, tools: tuple[str, ...]) -> CheckResult:
        count = len(tools)
        reason = f"made {count} tool calls, expected at most {self.max}"
        return (CheckResult.hit if count <= self.max else CheckResult.miss)(
            reason, actual_count=count
        )


class UsedNoTools(_OnCalledTools):
    """1 if no tool was called, else 0."""

    id: ClassVar[str] = "check-used-no-tools"

    def _answer_to(self, tools: tuple[str, ...]) -> CheckResult:
        if not tools:
            return CheckResult.hit("called no tool", actual_tools=tools)
        return CheckResult.miss(
            f"expected no tool call; called: {listed(tools)}", actual_tools=tools
        )


class NoToolErrors(Check):
    """1 if no tool invocation failed or was left unfinished, else 0."""

    id: ClassVar[str] = "check-no-tool-errors"

    def __call__(self, run: AgentRun) -> CheckResult:
        failed = tuple(i.name or "(no name)" for i in run.invocations if i.has_failed)
        if not failed:
            return _NONE_FAILED
        return CheckResult.miss(
            f"{len(failed)} of {len(run.invocations)} tool invocations failed or never "
            f"finished: {listed(failed)}",
            failed_tools=failed,
        )


class ToolSucceeded(Check):
    """1 if `tool` was called and no call of it failed or was left unfinished, else 0."""

    id: ClassVar[str] = "check-tool-succeeded"

    tool: str
    """Name of the tool, exactly."""
    allow_retries: bool = False
    """Only the last call counts: a later success makes up for a failure."""

    def __call__(self, run: AgentRun) -> CheckResult:
        calls = [i for i in run.invocations if i.is_call and i.name == self.tool]
        if not calls:
            return CheckResult.miss(
                f"did not call {self.tool:.80}; {called_instead(self.tool, run.called_tools)}",
                actual_count=0,
                failed_count=0,
            )
        failed = [call.has_failed for call in calls]
        is_miss = failed[-1] if self.allow_retries else any(failed)
        count = f"{sum(failed)} of {len(calls)} calls of {self.tool:.80} failed or never finished"
        last = (", the last too" if failed[-1] else ", not the last") if any(failed) else ""
        return (CheckResult.miss if is_miss else CheckResult.hit)(
            count + last,
            actual_count=len(calls),
            failed_count=sum(failed),
        )


class AllowedTools(_OnCalledTools):
    """1 if no tool was called but those of `tools`, else 0."""

    id: ClassVar[str] = "check-allowed-tools"

    tools: tuple[str, ...]
    """Names of tools, exactly; none allows no call."""

    def _answer_to(self, tools: tuple[str, ...]) -> CheckResult:
        strange = tuple(tool for tool in dict.fromkeys(tools) if tool not in self._names)
        allowed = f"allowed: {listed(self.tools)}"
        if not strange:
            return CheckResult.hit(f"called allowed tools only; {allowed}", strange_tools=strange)
        return CheckResult.miss(f"called {listed(strange)}; {allowed}", strange_tools=strange)

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.tools)

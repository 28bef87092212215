"""Regular expressions as JavaScript has them, in a JavaScript engine that can be stopped."""

import json
import re
import threading
from functools import cached_property
from typing import Any, ClassVar, Self

from pydantic import field_validator, model_validator
from quickjs import Context, JSException

from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import quoted
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult
from live_scoring.core.scoring import Check

TIME_LIMIT_SECONDS = 0.1
"""Processor time for one text. The engine counts the whole process's, so threads that are busy
beside it shorten the limit; a pattern takes microseconds, so that only hastens a runaway's end."""
MEMORY_LIMIT_BYTES = 64 * 2**20
_COMPILED_LIMIT = 1_000

_FLAGS = "dgimsuvy"
_INLINE_FLAGS = re.compile(r"\(\?([ims]+)\)")
_COMPILE = """(source, flags) => {
  const pattern = new RegExp(JSON.parse(source), flags);
  return text => pattern.test(JSON.parse(text));
}"""


class PatternTimeout(LiveScoringError):  # noqa: N818 -- the name is the published error type
    """The pattern was stopped at its time limit."""


class PatternFailed(LiveScoringError):  # noqa: N818 -- the name is the published error type
    """The engine gave up on the text, mostly at its memory limit."""


class Matches(Check):
    """1 if the regular expression `pattern` is found in the output, else 0.

    The syntax is JavaScript's; messages are joined without a space. A pattern that takes over
    100 ms of processor time on a text is stopped, and the outcome is the error `PatternTimeout`.
    """

    id: ClassVar[str] = "check-matches"

    pattern: str
    """A JavaScript regular expression, without slashes around it."""
    flags: str = ""
    """Of `d i m s u v`; `g` and `y` are accepted and mean nothing."""
    exact: bool = False
    """The pattern must match from start to end (with flag `m`: of a line)."""

    @field_validator("flags")
    @classmethod
    def _check_flags(cls, flags: str) -> str:
        for flag in flags:
            if flag not in _FLAGS:
                msg = f"{quoted(flag)} is no flag; use some of {' '.join(_FLAGS)}"
                raise ValueError(msg)
            if flags.count(flag) > 1:
                msg = f"flag {flag} stands twice; write it once"
                raise ValueError(msg)
        if "u" in flags and "v" in flags:
            raise ValueError("flags u and v exclude each other; keep one")
        return flags

    @model_validator(mode="after")
    def _check_pattern(self) -> Self:
        try:
            # Alone too: grouped, a stray pair of parentheses like `a)(b` would pass.
            _ENGINE.tester(self.pattern, self._effective_flags)
            _ENGINE.tester(self._source, self._effective_flags)
        except JSException as error:
            raise ValueError(_explain(self.pattern, _headline(error))) from None
        return self

    def __call__(self, run: AgentRun) -> CheckResult:
        text = json.dumps(run.joined_text)  # escaped, so lone surrogates and U+0000 survive
        try:
            is_match = _ENGINE.tester(self._source, self._effective_flags)(text)
        except JSException as error:
            raise self._failure(error, len(run.joined_text)) from None
        return self._hit if is_match else self._miss

    def _failure(self, error: Exception, length: int) -> LiveScoringError:
        headline = _headline(error)
        if headline == "interrupted":
            return PatternTimeout(
                f"{self._shown} ran over {TIME_LIMIT_SECONDS * 1000:.0f} ms on {length} "
                f"characters; rewrite it so that it cannot backtrack without end"
            )
        return PatternFailed(f"{self._shown} gave up on {length} characters: {headline}")

    @cached_property
    def _source(self) -> str:
        return f"^(?:{self.pattern})$" if self.exact else self.pattern

    @cached_property
    def _effective_flags(self) -> str:
        return "".join(flag for flag in self.flags if flag not in "gy")

    @cached_property
    def _shown(self) -> str:
        return f"pattern {quoted(self.pattern)}"

    @cached_property
    def _hit(self) -> CheckResult:
        return CheckResult.hit(f"{self._shown} matches {self._where}")

    @cached_property
    def _miss(self) -> CheckResult:
        return CheckResult.miss(f"{self._shown} does not match {self._where}")

    @property
    def _where(self) -> str:
        return "the whole output" if self.exact else "the output"


class _Engine(threading.local):
    """A JavaScript context for each thread (it belongs to the one that made it)."""

    def tester(self, source: str, flags: str) -> Any:
        """A function from a text in JSON to whether it matches; compiled once."""
        found = self._testers.get((source, flags))
        if found is None:
            if len(self._testers) >= _COMPILED_LIMIT:
                self._testers.clear()
            found = self._testers[source, flags] = self._compile(json.dumps(source), flags)
        return found

    @cached_property
    def _testers(self) -> dict[tuple[str, str], Any]:
        return {}

    @cached_property
    def _compile(self) -> Any:
        context = Context()
        context.set_memory_limit(MEMORY_LIMIT_BYTES)
        context.set_time_limit(TIME_LIMIT_SECONDS)
        return context.eval(_COMPILE)


_ENGINE = _Engine()


def _headline(error: Exception) -> str:
    """What the engine says, without the error's class and its stack."""
    return str(error).partition("\n")[0].partition(": ")[2]


def _explain(pattern: str, problem: str) -> str:
    inline = _INLINE_FLAGS.search(pattern)
    if inline:
        return f"{inline[0]} is not JavaScript; take it out and write flags: {inline[1]}"
    return f"{quoted(pattern)} is no JavaScript pattern ({problem}); correct it"

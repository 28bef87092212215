"""Regular expressions as JavaScript has them, in a JavaScript engine that can be stopped."""

import json
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from time import process_time
from typing import Any

from quickjs import Context, JSException

from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import quoted

TIME_LIMIT_SECONDS = 0.1
"""Processor time for one text. The engine counts the whole process's, so threads that are busy
beside it shorten the limit; a pattern takes microseconds, so that only hastens a runaway's end."""
MEMORY_LIMIT_BYTES = 64 * 2**20
_COMPILED_LIMIT = 1_000
_STOPPED = "interrupted"

_FLAGS = "dgimsuvy"
_INLINE_FLAGS = re.compile(r"\(\?([ims]+)\)")
_TEST = """(source, flags) => {
  const pattern = new RegExp(JSON.parse(source), flags);
  return (text, isEscaped) => pattern.test(isEscaped ? JSON.parse(text) : text);
}"""
_REPLACE = """(source, flags) => {
  const pattern = new RegExp(JSON.parse(source), flags + "g");
  return (text, by) => JSON.stringify(JSON.parse(text).replace(pattern, () => JSON.parse(by)));
}"""


class PatternTimeout(LiveScoringError):  # noqa: N818 -- the name is the published error type
    """The pattern was stopped at its time limit."""


class PatternFailed(LiveScoringError):  # noqa: N818 -- the name is the published error type
    """The engine gave up on the text, mostly at its memory limit."""


@dataclass(frozen=True)
class Pattern:
    """A JavaScript regular expression, looked for anywhere in a text."""

    source: str
    flags: str = ""
    """Of `d i m s u v`; `g` and `y` are accepted and mean nothing."""
    exact: bool = False
    """It must match from start to end (with flag `m`: of a line)."""

    def __post_init__(self) -> None:
        """Compile it.

        Raises:
            ValueError: It is no JavaScript pattern, or the flags are none; says what to do.
        """
        _check_flags(self.flags)
        try:
            # Alone too: grouped, a stray pair of parentheses like `a)(b` would pass.
            _ENGINE.compiled(_TEST, self.source, self._effective_flags)
            _ENGINE.compiled(_TEST, self._effective_source, self._effective_flags)
        except JSException as error:
            raise ValueError(_explain(self.source, _headline(error))) from None

    def is_in(self, text: str) -> bool:
        """Whether it is found in the text.

        Raises:
            PatternTimeout: It took more than 100 ms of processor time.
            PatternFailed: It took too much memory.
        """
        return bool(self._run(_TEST, len(text), *_handed_over(text)))

    def replaced(self, text: str, by: str) -> str:
        """The text with something else wherever the pattern is found.

        Raises:
            PatternTimeout: It took more than 100 ms of processor time.
            PatternFailed: It took too much memory.
        """
        found = self._run(_REPLACE, len(text), json.dumps(text), json.dumps(by))
        return str(json.loads(found))

    def _run(self, work: str, length: int, *arguments: str | bool) -> Any:
        try:
            return _ENGINE.ask(work, self._effective_source, self._effective_flags, arguments)
        except JSException as error:
            raise self._failure(error, length) from None

    def _failure(self, error: Exception, length: int) -> LiveScoringError:
        shown, headline = f"pattern {quoted(self.source)}", _headline(error)
        if headline == _STOPPED:
            return PatternTimeout(
                f"{shown} ran over {TIME_LIMIT_SECONDS * 1000:.0f} ms on {length} "
                f"characters; rewrite it so that it cannot backtrack without end"
            )
        return PatternFailed(f"{shown} gave up on {length} characters: {headline}")

    @cached_property
    def _effective_source(self) -> str:
        return f"^(?:{self.source})$" if self.exact else self.source

    @cached_property
    def _effective_flags(self) -> str:
        return "".join(flag for flag in self.flags if flag not in "gy")


@contextmanager
def one_limit() -> Iterator[None]:
    """Give all patterns that are asked inside the time of one: together they take 100 ms."""
    with _ENGINE.limited():
        yield


class _Engine(threading.local):
    """A JavaScript context for each thread (it belongs to the one that made it)."""

    _left: float | None = None
    """Seconds that are left of a limit that several patterns share."""

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Let what is asked inside share one limit; inside another one it changes nothing."""
        if self._left is not None:
            yield
            return
        self._left = TIME_LIMIT_SECONDS
        try:
            yield
        finally:
            self._left = None
            self._context.set_time_limit(TIME_LIMIT_SECONDS)

    def ask(self, work: str, source: str, flags: str, arguments: Iterable[str | bool]) -> Any:
        """What work by a pattern makes of its arguments.

        Raises:
            JSException: It was stopped.
        """
        asked = self.compiled(work, source, flags)
        if self._left is None:
            return asked(*arguments)
        if self._left <= 0:
            # On a short text the engine would not look at its clock.
            raise JSException(f"InternalError: {_STOPPED}")
        self._context.set_time_limit(self._left)
        began = process_time()
        try:
            return asked(*arguments)
        finally:
            self._left -= process_time() - began

    def compiled(self, work: str, source: str, flags: str) -> Any:
        """A function that does some work by a pattern; compiled once."""
        found = self._compiled.get((work, source, flags))
        if found is None:
            if len(self._compiled) >= _COMPILED_LIMIT:
                self._compiled.clear()
            made = self._context.eval(work)(json.dumps(source), flags)
            found = self._compiled[work, source, flags] = made
        return found

    @cached_property
    def _compiled(self) -> dict[tuple[str, str, str], Any]:
        return {}

    @cached_property
    def _context(self) -> Any:
        context = Context()
        context.set_memory_limit(MEMORY_LIMIT_BYTES)
        context.set_time_limit(TIME_LIMIT_SECONDS)
        return context


_ENGINE = _Engine()


def _handed_over(text: str) -> tuple[str, bool]:
    """Text as the engine takes it, and whether it is escaped, for it takes no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(text), True
    return text, False


def _check_flags(flags: str) -> None:
    for flag in flags:
        if flag not in _FLAGS:
            raise ValueError(f"{quoted(flag)} is no flag; use some of {' '.join(_FLAGS)}")
        if flags.count(flag) > 1:
            raise ValueError(f"flag {flag} stands twice; write it once")
    if "u" in flags and "v" in flags:
        raise ValueError("flags u and v exclude each other; keep one")


def _headline(error: Exception) -> str:
    """What the engine says, without the error's class and its stack."""
    return str(error).partition("\n")[0].partition(": ")[2]


def _explain(source: str, problem: str) -> str:
    inline = _INLINE_FLAGS.search(source)
    if inline:
        return f"{inline[0]} is not JavaScript; take it out and write flags: {inline[1]}"
    return f"{quoted(source)} is no JavaScript pattern ({problem}); correct it"

"""One YAML file to plain values; every rule about YAML itself is here."""

from collections.abc import Iterator
from typing import Any

import yaml

from live_scoring.config.problems import Loc, Problems

_MAX_BYTES = 1024 * 1024
_MAX_VALUES = 100_000
"""Values of a file once its aliases are written out; a few lines can ask for billions."""
_STRING, _MERGE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # a platform without a wheel: ten times slower, the same values
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]  # one of the two


class _Refused(Exception):  # noqa: N818 -- a problem of the user's, told and not raised further
    """A node that cannot be read; carries its place and the sentence."""

    def __init__(self, loc: Loc, sentence: str) -> None:
        super().__init__(sentence)
        self.loc, self.sentence = loc, sentence


def read_yaml(content: bytes, problems: Problems) -> dict[str, Any] | None:
    """The mapping that a file holds; None, with the problems noted, if it holds none."""
    text = _decode(content, problems)
    if text is None:
        return None
    found = len(problems.lines)
    try:
        value = _construct(text, problems)
    except _Refused as refused:
        problems.add(refused.loc, refused.sentence)
        return None
    if len(problems.lines) > found:
        return None
    if not isinstance(value, dict):
        problems.add((), "holds no keys; write a mapping such as `key: value`")
        return None
    return value


def _decode(content: bytes, problems: Problems) -> str | None:
    if len(content) > _MAX_BYTES:
        problems.add((), "is larger than 1 MiB; split it")
        return None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problems.add((), f"line {line}: is not UTF-8; save the file as UTF-8")
        return None
    if not text.strip():
        problems.add((), "is empty; write its keys or remove the file")
        return None
    return text


def _construct(text: str, problems: Problems) -> Any:
    try:
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
            if root is None:
                raise _Refused((), "is empty; write its keys or remove the file")
            _Examination(problems).values_in(root, ())
            return loader.construct_document(root)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise _Refused((), _syntax(error)) from None
    except RecursionError:
        raise _Refused((), "is nested too deeply; flatten it") from None
    except (ValueError, KeyError, AttributeError) as error:
        # Explicit tags (`!!int x`) and dates that no calendar has.
        raise _Refused((), f"holds a value that YAML cannot read ({error}); quote it") from None


def _syntax(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        mark, problem = error.problem_mark, str(error.problem)
        if "'\\t'" in problem or "tab" in problem:
            return f"line {mark.line + 1}: is indented by a tab; use spaces"
        return f"line {mark.line + 1}, column {mark.column + 1}: {problem}; mend the YAML"
    return f"is not YAML ({str(error).splitlines()[0]}); remove control characters"


class _Examination:
    """Walks the nodes of a file before any is built."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._sizes: dict[int, int] = {}
        self._open: set[int] = set()

    def values_in(self, node: Any, loc: Loc) -> int:
        """How many values a node stands for with its aliases written out."""
        key = id(node)
        if key in self._open:
            raise _Refused(loc, "is an alias of what it stands in; write it out")
        if key in self._sizes:
            return self._sizes[key]
        self._open.add(key)
        size = 1 + sum(
            self.values_in(child, (*loc, step)) for step, child in self._children(node, loc)
        )
        self._open.remove(key)
        if size > _MAX_VALUES:
            raise _Refused((), "its aliases stand for too many values; write it without them")
        self._sizes[key] = size
        return size

    def _children(self, node: Any, loc: Loc) -> Iterator[tuple[str | int, Any]]:
        if isinstance(node, yaml.SequenceNode):
            yield from enumerate(node.value)
        if isinstance(node, yaml.MappingNode):
            yield from self._entries(node, loc)

    def _entries(self, node: yaml.MappingNode, loc: Loc) -> Iterator[tuple[str, Any]]:
        lines: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise _Refused(loc, f"line {line}: a key is no text; write a plain name")
            if key.tag not in {_STRING, _MERGE}:
                kind = key.tag.removeprefix("tag:yaml.org,2002:")
                self._problems.add((*loc, key.value), f"YAML reads this key as {kind}; quote it")
            if key.value in lines and key.tag != _MERGE:
                first = lines[key.value]
                self._problems.add(
                    (*loc, key.value), f"is given twice (lines {first} and {line}); keep one"
                )
            lines.setdefault(key.value, line)
            yield key.value, value

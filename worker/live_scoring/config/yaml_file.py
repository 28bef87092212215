"""One YAML file to plain values; every rule about YAML itself is here."""

from collections.abc import Iterator
from typing import Any

import yaml

from live_scoring.config.problems import Loc, Problems
from live_scoring.core.quote import quoted

_MAX_BYTES = 1024 * 1024
_MAX_VALUES = 100_000
"""Values of a file once its aliases are written out; a few lines can ask for billions."""
_EMPTY = "is empty; write its keys or remove the file"
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
    try:
        value = _construct(_decode(content), problems)
    except _Refused as refused:
        problems.add(refused.loc, refused.sentence)
    except yaml.YAMLError as error:
        problems.add((), _syntax(error, content))
    except RecursionError:
        problems.add((), "is nested too deeply; flatten it")
    else:
        return value
    return None


def _decode(content: bytes) -> str:
    if len(content) > _MAX_BYTES:
        raise _Refused((), "is larger than 1 MiB; split it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _Refused((), f"line {line}: is not UTF-8; save the file as UTF-8") from None
    if not text.strip():
        raise _Refused((), _EMPTY)
    return text


def _construct(text: str, problems: Problems) -> dict[str, Any] | None:
    before = len(problems.lines)
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            raise _Refused((), _EMPTY)
        _Examination(loader, problems).values_in(root, ())
        if len(problems.lines) > before:
            return None
        value = loader.construct_document(root)
    finally:
        loader.dispose()
    if not isinstance(value, dict):
        raise _Refused((), "holds no keys; write a mapping such as `key: value`")
    return value


def _syntax(error: yaml.YAMLError, content: bytes) -> str:
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return f"is not YAML ({str(error).splitlines()[0]}); mend it"
    line, column = error.problem_mark.line, error.problem_mark.column
    written = "".join(content.decode("utf-8-sig").splitlines()[line : line + 1])
    if written[column : column + 1] == "\t":
        return f"line {line + 1}: is indented by a tab; use spaces"
    problem = f"{error.context}, {error.problem}" if error.context else str(error.problem)
    return f"line {line + 1}, column {column + 1}: {problem}; mend the YAML"


class _Examination:
    """Walks the nodes of a file before any is built."""

    def __init__(self, loader: _Loader, problems: Problems) -> None:
        self._loader = loader
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
        if isinstance(node, yaml.ScalarNode):
            self._try(node, loc)
        self._open.add(key)
        size = 1 + sum(
            self.values_in(child, (*loc, step)) for step, child in self._children(node, loc)
        )
        self._open.remove(key)
        if size > _MAX_VALUES:
            raise _Refused((), f"holds over {_MAX_VALUES:,} values, aliases written out; split it")
        self._sizes[key] = size
        return size

    def _try(self, node: yaml.ScalarNode, loc: Loc) -> None:
        """Tell of a date that no calendar has, or a tag that does not fit, at its place."""
        try:
            self._loader.construct_object(node)
        except (yaml.YAMLError, ValueError, KeyError, AttributeError):
            self._problems.add(loc, f"YAML cannot read {quoted(node.value)}; put it in quotes")

    def _children(self, node: Any, loc: Loc) -> Iterator[tuple[str | int, Any]]:
        if isinstance(node, yaml.SequenceNode):
            yield from enumerate(node.value)
        if isinstance(node, yaml.MappingNode):
            yield from self._entries(node, loc)

    def _entries(self, node: yaml.MappingNode, loc: Loc) -> Iterator[tuple[str, Any]]:
        lines: dict[str, list[int]] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise _Refused(loc, f"line {line}: a key is no text; write a plain name")
            if key.tag not in {_STRING, _MERGE}:
                kind = key.tag.removeprefix("tag:yaml.org,2002:")
                self._problems.add((*loc, key.value), f"YAML reads this key as {kind}; quote it")
            if key.tag != _MERGE:
                lines.setdefault(key.value, []).append(line)
            yield key.value, value
        for name, (first, *others) in lines.items():
            if others:
                sentence = f"is given twice (lines {first} and {others[0]}); keep one"
                self._problems.add((*loc, name), sentence)

"""Files of runs, plain or gzip; and files that are written whole."""

import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from rich.console import Console
from rich.progress import Progress

from live_scoring.core.decoding import parse_json
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.score import Failure
from live_scoring.formats import FORMATS

STDIN = Path("-")
"""Stands for standard input."""
_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 18
_BINARY = tuple(form for form in FORMATS.values() if form.is_binary)


class FileError(LiveScoringError):
    """A file that cannot be read, or not to its end, or not be written."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a file holds of one record: a line that is not blank, or the whole file."""

    number: int
    """Of the line, from 1, blank ones counted; 0 is the whole file."""
    content: bytes
    """Without what ends a line; of a longer part the first `limit` bytes and one more."""


@dataclass(frozen=True, slots=True)
class RunFile:
    """Where runs are read from."""

    path: Path
    stdin: BinaryIO | None
    """Read where the path is `-`; None if it is closed."""
    console: Console
    """Shows how far reading is, if it is a terminal."""

    @property
    def name(self) -> str:
        """The file in messages."""
        return "stdin" if self.path == STDIN else self.path.as_posix()

    def records(self, limit: int) -> Iterator[Part]:
        """Every record: the whole file where that is one, else every line that is not blank.

        At most two records are in memory at a time.

        Args:
            limit: Bytes of a record at most.

        Raises:
            FileError: It cannot be read to its end.
        """
        with self._opened() as stream:
            head = stream.read(len(_BOM)).removeprefix(_BOM)
            head += stream.read(limit + 1 - len(head))
            if not _is_one(head, limit):
                yield from _lines(io.BytesIO(head), stream, limit)
            elif head.strip():
                yield Part(0, head)

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        try:
            with self._raw() as raw, self._watched(raw) as watched:
                stream = io.BufferedReader(watched, _CHUNK)  # type: ignore[type-var] # a raw stream in all but name
                is_gzip = stream.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC)
                try:
                    yield cast("BinaryIO", gzip.GzipFile(fileobj=stream) if is_gzip else stream)
                finally:
                    stream.detach()  # or it would close standard input
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise FileError(
                f"{self.name}: cannot be read ({reason}); check the file and its rights"
            ) from error

    def _raw(self) -> AbstractContextManager[BinaryIO]:
        if self.path != STDIN:
            return self.path.open("rb", buffering=0)
        if self.stdin is None:
            raise FileError("stdin: is closed; name a file or give it runs")
        return nullcontext(self.stdin)

    @contextmanager
    def _watched(self, raw: BinaryIO) -> Iterator[BinaryIO]:
        """The stream, on a terminal with a bar of how much was read where there is an end."""
        if self.path == STDIN or not self.console.is_terminal:
            yield raw
            return
        size = self.path.stat().st_size
        with Progress(console=self.console, transient=True) as progress:
            yield progress.wrap_file(raw, total=size, description=self.name)


def write_file(path: Path, content: bytes) -> None:
    """Write a file anew.

    Raises:
        FileError: It cannot be written.
    """
    try:
        path.write_bytes(content)
    except OSError as error:
        raise FileError(
            f"{path.as_posix()}: cannot be written ({error.strerror}); check the folder"
        ) from error


def _is_one(head: bytes, limit: int) -> bool:
    """Whether a file is one record: a JSON document on many lines, a binary format, or neither.

    A file of which no line is JSON is one record that is bad, not many.

    Args:
        head: The file, or of a larger one its first bytes.
        limit: Bytes of a record at most.
    """
    if len(head) <= limit:
        if any(form.recognises(head) for form in _BINARY):
            return True
        if b"\n" in head.strip() and _is_json(head):
            return True
    elif b"\n" not in head:
        return False
    return not _has_json_line(head.splitlines())


def _has_json_line(lines: Sequence[bytes]) -> bool:
    return any(line.lstrip().startswith((b"{", b"[")) and _is_json(line) for line in lines)


def _is_json(content: bytes) -> bool:
    return not isinstance(parse_json(content), Failure)


def _lines(head: BinaryIO, stream: BinaryIO, limit: int) -> Iterator[Part]:
    """The lines of what was read of a stream, and then of its rest."""
    number = 0
    while content := _line(head, stream, limit + 1):
        number += 1
        is_whole = len(content) <= limit or content.endswith(b"\n")
        if is_whole:
            content = content.strip()
        else:
            _skip_line(stream)
        if content:
            yield Part(number, content)


def _line(head: BinaryIO, stream: BinaryIO, size: int) -> bytes:
    content = head.readline(size)
    if content.endswith(b"\n") or len(content) == size:
        return content
    return content + stream.readline(size - len(content))


def _skip_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
        pass

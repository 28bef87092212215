"""Files of runs, one payload a line, plain or gzip; and files that are written whole."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from rich.console import Console
from rich.progress import Progress

from live_scoring.core.errors import LiveScoringError

STDIN = Path("-")
"""Stands for standard input."""
_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 18


class FileError(LiveScoringError):
    """A file that cannot be read, or not to its end, or not be written."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank."""

    number: int
    """From 1, blank ones counted."""
    content: bytes
    """Without what ends it; of a longer line the first `limit` bytes and one more."""


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

    def read(self, size: int) -> bytes:
        """At most so many bytes from the file's beginning.

        Raises:
            FileError: It cannot be read.
        """
        with self._opened() as stream:
            return _without_bom(stream.read(size))

    def lines(self, limit: int) -> Iterator[Line]:
        """Every line that is not blank, one in memory at a time.

        Args:
            limit: Bytes of a line at most.

        Raises:
            FileError: It cannot be read to its end.
        """
        with self._opened() as stream:
            number = 0
            while content := stream.readline(limit + 1):
                number += 1
                is_whole = len(content) <= limit or content.endswith(b"\n")
                if not is_whole:
                    _skip_line(stream)
                if number == 1:
                    content = _without_bom(content)
                content = content.strip() if is_whole else content
                if content:
                    yield Line(number, content)

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


def _skip_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
        pass


def _without_bom(content: bytes) -> bytes:
    return content.removeprefix(_BOM)

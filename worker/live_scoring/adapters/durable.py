"""Files that a kill leaves whole: replaced at once, or grown and cut back to what is certain."""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Self

from live_scoring.core.errors import LiveScoringError


class DurableError(LiveScoringError):
    """A file that cannot be written."""


def replace_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file so that at every moment either the old or the new one is there whole.

    What is no regular file, such as a pipe, is written as it is.

    Raises:
        DurableError: It cannot be written.
    """
    with GrowingFile.replacing(path) as file:
        for chunk in chunks:
            file.append(chunk)


class GrowingFile:
    """A file that one process at a time appends to."""

    def __init__(self, path: Path, length: int, told_as: Path | None = None) -> None:
        """Open a file, made if it is missing, and cut it to a length in bytes.

        Args:
            path: The file.
            length: In bytes.
            told_as: What messages call it, if not by its path.

        Raises:
            DurableError: It cannot be written, is shorter, or another process writes it.
        """
        self._path = told_as or path
        with _told(self._path):
            self._file: BinaryIO = path.open("ab")
        try:
            if path.is_file():
                self._cut(length)
        except BaseException:
            self._file.close()
            raise

    def _cut(self, length: int) -> None:
        name = self._path.as_posix()
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise DurableError(
                f"{name}: another process writes it; let that end, or name another file"
            ) from error
        with _told(self._path):
            if self._file.seek(0, os.SEEK_END) < length:
                raise DurableError(
                    f"{name}: is shorter than the checkpoint says, {length} bytes; put it back, "
                    "or remove the checkpoint to begin anew"
                )
            self._file.truncate(length)
            self._file.seek(length)

    @classmethod
    @contextmanager
    def replacing(cls, path: Path) -> Iterator[Self]:
        """A file that takes the place of another once the block has ended without an error.

        What is no regular file, such as a pipe, is written as it is.

        Raises:
            DurableError: It cannot be written.
        """
        if path.exists() and not path.is_file():
            file = cls(path, 0)
            try:
                yield file
            finally:
                file.close()
            return
        target = path.resolve()
        part = target.with_name(f".{target.name}.part")
        file = cls(part, 0, told_as=path)
        try:
            yield file
            file.sync()
            with _told(path):
                part.replace(target)
            _sync_folder(target.parent)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        finally:
            file.close()

    def append(self, content: bytes) -> None:
        """Add bytes at the end; they are certain only after `sync`.

        Raises:
            DurableError: They cannot be written.
        """
        with _told(self._path):
            self._file.write(content)

    def sync(self) -> int:
        """Wait until all is on the disk; the length in bytes.

        Raises:
            DurableError: It cannot be written.
        """
        with _told(self._path):
            self._file.flush()
            os.fsync(self._file.fileno())
            return self._file.tell()

    def close(self) -> None:
        """Let the file go.

        Raises:
            DurableError: What was appended last cannot be written.
        """
        with _told(self._path):
            self._file.close()


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder certain."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DurableError(
            f"{path.as_posix()}: cannot be written ({error.strerror}); check the folder, its "
            "rights and the disk"
        ) from error

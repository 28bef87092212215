"""A wall clock that can be set under one running process, by libfaketime."""

from collections.abc import Mapping
from pathlib import Path

_PLACES = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib*/faketime/libfaketime.so.1")


class NoFaketimeError(Exception):
    """Libfaketime is not installed."""


class Wall:
    """How far the wall clock of a process is off; its monotonic clock runs on as it is."""

    def __init__(self, folder: Path) -> None:
        """Be right.

        Raises:
            NoFaketimeError: The library is not on this machine.
        """
        found = [path for place in _PLACES for path in Path("/").glob(place.removeprefix("/"))]
        if not found:
            raise NoFaketimeError("there is no libfaketime on this machine (Debian's libfaketime)")
        self._library = found[0]
        self._file = folder / "faketime"
        self.set(0)

    def set(self, seconds: int) -> None:
        """Let it be off by so many whole seconds, from a second after now at the latest."""
        written = self._file.with_suffix(".new")
        written.write_text(f"{seconds:+d}\n")
        written.replace(self._file)

    @property
    def environment(self) -> Mapping[str, str]:
        """For a process that is to live by it."""
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",  # to read it at each call takes longer than the call
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

"""What tests need and make once on a machine: kept in a cache outside the checkout."""

import fcntl
import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def made_once(
    name: str, make: Callable[[Path], Path], is_whole: Callable[[Path], bool] = Path.exists
) -> Path:
    """The file or folder of that name; a test beside this one waits, and finds it made.

    Args:
        name: With the version of what it holds.
        make: Makes it in a folder that is removed afterwards, and gives its place there.
        is_whole: Whether what is there can be taken.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "live-scoring"
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / name
    with (cache / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_whole(kept):
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                make(Path(folder)).rename(kept)
    return kept

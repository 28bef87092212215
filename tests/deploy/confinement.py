"""A command as a container would run it, by Linux's name spaces.

What differs: the user stays root, for another one may not read this machine's Python. Root has no
capabilities, though, and nothing to write to but /tmp.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from tests.deploy.tools import run

_DROPPED = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")


def is_possible() -> bool:
    """Whether this machine lets us make name spaces."""
    return sys.platform == "linux" and run(["unshare", "--mount", "true"]).returncode == 0


def mounting(mounts: Mapping[str, Path], *command: str) -> list[str]:
    """The command with folders mounted where it wants them.

    Args:
        mounts: Folders by the place where they are to be.
        command: What to run.
    """
    return _in_name_space(mounts, [], command)


def confined(mounts: Mapping[str, Path], *command: str) -> list[str]:
    """The command with mounted folders, read-only as all but /tmp, and without capabilities."""
    locks = [f"mount -o remount,bind,ro {quote(place)}" for place in (*mounts, "/")]
    own = ["mount -t tmpfs tmpfs /tmp", *locks, "cd /tmp"]
    return _in_name_space(mounts, own, (*_DROPPED, *command))


def _in_name_space(
    mounts: Mapping[str, Path], steps: list[str], command: tuple[str, ...]
) -> list[str]:
    binds = [f"mount --bind {quote(str(mounts[place]))} {quote(place)}" for place in mounts]
    script = "\n".join(["mount --make-rprivate /", *binds, *steps, 'exec "$@"'])
    return ["unshare", "--mount", "bash", "-ec", script, "bash", *command]

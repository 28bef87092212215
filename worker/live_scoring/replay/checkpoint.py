"""Where a replay stands, in a file, so that the same command goes on after a kill."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from live_scoring.adapters.durable import DurableError, replace_file
from live_scoring.core.wire import to_json
from live_scoring.replay.history import Bounds
from live_scoring.replay.tally import Tally


class CheckpointError(DurableError):
    """A checkpoint that cannot be used, or not by this command."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that a replay needs to go on."""

    command: Mapping[str, Any]
    """What was asked, by option; another command must not go on with it."""
    from_ms: int | None
    to_ms: int | None
    """The span's times, which an age would place elsewhere today."""
    bounds: Bounds
    file_bytes: int
    """How long the file of scores was."""
    tally: Tally
    is_done: bool = False
    schema: Literal["live-scoring/replay-checkpoint/v1"] = "live-scoring/replay-checkpoint/v1"


_ADAPTER = TypeAdapter(Checkpoint)


def read_checkpoint(path: Path, command: Mapping[str, Any]) -> Checkpoint | None:
    """What an earlier run of the same command left; None if there is no file.

    Raises:
        CheckpointError: It cannot be read, or is of another command; names what differs.
    """
    name = path.as_posix()
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CheckpointError(
            f"{name}: cannot be read ({error.strerror}); check the file and its rights"
        ) from error
    try:
        found = _ADAPTER.validate_json(content)
    except ValidationError as error:
        raise CheckpointError(
            f"{name}: is no checkpoint of a replay; name another file, or remove it"
        ) from error
    for option, wanted in command.items():
        kept = found.command.get(option)
        if kept != wanted:
            raise CheckpointError(
                f"{name}: is of another replay: {option} was {_shown(kept)}, now {_shown(wanted)}; "
                "give the same command, or name another file"
            )
    return found


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Replace the checkpoint at once.

    Raises:
        DurableError: It cannot be written.
    """
    replace_file(path, [to_json(_ADAPTER.dump_python(checkpoint, mode="json")), b"\n"])


def _shown(value: Any) -> str:
    return "not given" if value in (None, []) else to_json(value).decode()

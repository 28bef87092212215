"""Writing a new folder; what is there is never touched."""

from pathlib import Path

from live_scoring.adapters.files import FileError
from live_scoring.config.loading import WORKER_FILE
from live_scoring.starter.files import Files


def check_is_free(folder: Path) -> None:
    """Refuse a folder that holds more than a `worker.yaml`.

    Raises:
        FileError: It does, or it cannot be looked into.
    """
    try:
        held = {path.name for path in folder.iterdir()} if folder.exists() else set()
    except OSError as error:
        raise _cannot(folder, error) from error
    if held - {WORKER_FILE}:
        raise FileError(
            f"{folder.as_posix()}: holds more than {WORKER_FILE}, and nothing is overwritten; name "
            "a new folder with --config"
        )


def write_new(folder: Path, files: Files) -> None:
    """Write files that are not there yet.

    Raises:
        FileError: One is there, or cannot be written.
    """
    for name, text in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as stream:
                stream.write(text)
        except OSError as error:
            raise _cannot(path, error) from error


def _cannot(path: Path, error: OSError) -> FileError:
    return FileError(
        f"{path.as_posix()}: cannot be written ({error.strerror}); name a new folder with --config"
    )

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from live_scoring.adapters.durable import DurableError, GrowingFile, replace_file


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    replace_file(path, [b"ne", b"w"])
    assert path.read_bytes() == b"new"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_a_file_that_could_not_be_written_to_its_end_is_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def chunks() -> Iterator[bytes]:
        yield b"new"
        raise KeyError

    with pytest.raises(KeyError):
        replace_file(path, chunks())
    assert path.read_bytes() == b"old"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_a_link_stays_one_and_leads_to_the_new_content(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    replace_file(link, [b"new"])
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    path, read = tmp_path / "pipe", list[bytes]()
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    replace_file(path, [b"new"])
    reader.join()
    assert read == [b"new"]
    assert path.is_fifo()


def test_a_file_is_cut_back_to_what_is_certain_and_grows_from_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"certain, perhaps")
    file = GrowingFile(path, len(b"certain"))
    file.append(b" and more")
    assert file.sync() == len(b"certain and more")
    file.close()
    assert path.read_bytes() == b"certain and more"


def test_a_file_that_has_lost_what_was_certain_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"cert")
    with pytest.raises(DurableError, match="is shorter than the checkpoint says, 7 bytes; put it"):
        GrowingFile(path, 7)
    assert path.read_bytes() == b"cert"


def test_two_do_not_write_one_file(tmp_path: Path) -> None:
    first = GrowingFile(tmp_path / "file", 0)
    first.append(b"first")
    first.sync()
    with pytest.raises(DurableError, match="another process writes it; let that end, or name"):
        GrowingFile(tmp_path / "file", 0)
    first.close()
    assert (tmp_path / "file").read_bytes() == b"first"


def test_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    told = r"/no-folder/file: cannot be written \(No such file or directory\)"
    with pytest.raises(DurableError, match=told):
        replace_file(tmp_path / "no-folder" / "file", [b"new"])

"""Files of runs: every line once, however the file is packed, and never more than a line held."""

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from live_scoring.adapters.files import STDIN, FileError, Line, RunFile, write_file

LIMIT = 20


def file_of(path: Path, stdin: bytes = b"") -> RunFile:
    return RunFile(path, io.BytesIO(stdin), Console(file=io.StringIO()))


def lines_of(content: bytes, limit: int = LIMIT) -> list[Line]:
    return list(file_of(STDIN, content).lines(limit))


def numbered(content: bytes) -> list[tuple[int, bytes]]:
    return [(line.number, line.content) for line in lines_of(content)]


def test_lines_are_numbered_from_1_and_blank_ones_counted() -> None:
    assert numbered(b'{"a":1}\n\n  \r\n{"b":2}') == [(1, b'{"a":1}'), (4, b'{"b":2}')]


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert numbered(b"\xef\xbb\xbfa\r\nb\r\n") == [(1, b"a"), (2, b"b")]


def test_a_line_over_the_limit_is_cut_and_the_next_one_is_whole() -> None:
    long = b"x" * (3 * LIMIT)
    assert numbered(long + b"\nnext") == [(1, b"x" * (LIMIT + 1)), (2, b"next")]


def test_a_line_of_just_the_limit_is_whole() -> None:
    assert numbered(b"x" * LIMIT + b"\nnext") == [(1, b"x" * LIMIT), (2, b"next")]


@given(st.lists(st.binary(max_size=40)))
def test_a_gzipped_file_has_the_lines_of_the_plain_one(parts: list[bytes]) -> None:
    content = b"x\n" + b"\n".join(parts)
    assert lines_of(gzip.compress(content)) == lines_of(content)


def test_gzip_is_known_by_its_content_not_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(gzip.compress(b"a\nb\n"))
    assert [line.content for line in file_of(path).lines(LIMIT)] == [b"a", b"b"]


def test_standard_input_stays_open() -> None:
    stdin = io.BytesIO(b"a\n")
    list(RunFile(STDIN, stdin, Console(file=io.StringIO())).lines(LIMIT))
    assert not stdin.closed


def test_standard_input_that_is_closed_is_told() -> None:
    file = RunFile(STDIN, None, Console(file=io.StringIO()))
    with pytest.raises(FileError, match="stdin: is closed; name a file"):
        file.read(LIMIT)


def test_a_gzip_file_that_is_cut_off_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(bytes(range(256)) * 64)[:-20])
    with pytest.raises(FileError, match=r"cut\.gz: cannot be read \(.*\); check the file"):
        list(file_of(path).lines(LIMIT))


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_what_is_no_file_is_unreadable(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        list(file_of(tmp_path / name).lines(LIMIT))


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        write_file(tmp_path / "missing" / "file", b"")


def test_a_terminal_shows_a_bar_and_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"a\nb\n")
    screen = io.StringIO()
    file = RunFile(path, io.BytesIO(), Console(file=screen, force_terminal=True))
    assert [line.content for line in file.lines(LIMIT)] == [b"a", b"b"]
    assert "runs.jsonl" in screen.getvalue()


def test_elsewhere_there_is_no_bar(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"a\n")
    screen = io.StringIO()
    assert list(RunFile(path, io.BytesIO(), Console(file=screen)).lines(LIMIT))
    assert screen.getvalue() == ""

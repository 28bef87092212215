"""Files of runs: every record once, however the file is packed, and never many of them held."""

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from live_scoring.adapters.files import STDIN, FileError, Part, RunFile, write_file

LIMIT = 20


def file_of(path: Path, stdin: bytes = b"") -> RunFile:
    return RunFile(path, io.BytesIO(stdin), Console(file=io.StringIO()))


def parts_of(content: bytes, limit: int = LIMIT) -> list[Part]:
    return list(file_of(STDIN, content).records(limit))


def numbered(content: bytes) -> list[tuple[int, bytes]]:
    return [(part.number, part.content) for part in parts_of(content)]


def test_lines_are_numbered_from_1_and_blank_ones_counted() -> None:
    assert numbered(b'{"a":1}\n\n  \r\n{"b":2}') == [(1, b'{"a":1}'), (4, b'{"b":2}')]


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert numbered(b"\xef\xbb\xbf[1]\r\n[2]\r\n") == [(1, b"[1]"), (2, b"[2]")]


def test_a_line_over_the_limit_is_cut_and_the_next_one_is_whole() -> None:
    long = b"x" * (3 * LIMIT)
    assert numbered(long + b"\nnext") == [(1, b"x" * (LIMIT + 1)), (2, b"next")]
    assert numbered(b"[1]\n" + long + b"\nnext")[1:] == [(2, b"x" * (LIMIT + 1)), (3, b"next")]


def test_a_line_of_just_the_limit_is_whole() -> None:
    line = b"[" + b"1" * (LIMIT - 2) + b"]"
    assert numbered(line + b"\n" + line) == [(1, line), (2, line)]


@pytest.mark.parametrize("content", [b'{"a":\n 1}', b"[1,\n[2]\n]", b"\x0a\x0b\n\x00\x01"])
def test_a_file_of_which_no_line_is_json_is_one_record(content: bytes) -> None:
    assert numbered(content) == [(0, content)]


def test_a_file_that_is_one_record_and_over_the_limit_is_cut() -> None:
    content = b'{"a":\n' + b" " * (3 * LIMIT) + b"1}"
    assert numbered(content) == [(0, content[: LIMIT + 1])]


def test_lines_that_are_no_json_stand_beside_those_that_are() -> None:
    assert numbered(b"junk\n[1]\nmore junk") == [(1, b"junk"), (2, b"[1]"), (3, b"more junk")]


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t"])
def test_nothing_is_no_record(content: bytes) -> None:
    assert parts_of(content) == []


@given(st.lists(st.binary(max_size=40)))
def test_every_line_is_there_wherever_the_limit_cuts_it(lines: list[bytes]) -> None:
    content = b"[1]\n" + b"\n".join(lines)
    kept = [line.strip() if len(line) < LIMIT else line for line in content.split(b"\n")]
    wanted = [line[: LIMIT + 1] for line in kept if line]
    assert [part.content.strip() for part in parts_of(content)] == [x.strip() for x in wanted]


@given(st.lists(st.binary(max_size=40)))
def test_a_gzipped_file_has_the_parts_of_the_plain_one(lines: list[bytes]) -> None:
    content = b"[1]\n" + b"\n".join(lines)
    assert parts_of(gzip.compress(content)) == parts_of(content)


def test_gzip_is_known_by_its_content_not_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(gzip.compress(b"[1]\n[2]\n"))
    assert [part.content for part in file_of(path).records(LIMIT)] == [b"[1]", b"[2]"]


def test_standard_input_stays_open() -> None:
    stdin = io.BytesIO(b"a\n")
    list(RunFile(STDIN, stdin, Console(file=io.StringIO())).records(LIMIT))
    assert not stdin.closed


def test_standard_input_that_is_closed_is_told() -> None:
    file = RunFile(STDIN, None, Console(file=io.StringIO()))
    with pytest.raises(FileError, match="stdin: is closed; name a file"):
        list(file.records(LIMIT))


def test_a_gzip_file_that_is_cut_off_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"[1]\n" * 500)[:-10])
    with pytest.raises(FileError, match=r"cut\.gz: cannot be read \(.*\); check the file"):
        list(file_of(path).records(LIMIT))


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_what_is_no_file_is_unreadable(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        list(file_of(tmp_path / name).records(LIMIT))


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        write_file(tmp_path / "missing" / "file", b"")


def test_a_terminal_shows_a_bar_and_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"[1]\n[2]\n")
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=len(str(path)) + 80)
    file = RunFile(path, io.BytesIO(), console)
    assert [part.content for part in file.records(LIMIT)] == [b"[1]", b"[2]"]
    assert "runs.jsonl" in screen.getvalue()


def test_elsewhere_there_is_no_bar(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"a\n")
    screen = io.StringIO()
    assert list(RunFile(path, io.BytesIO(), Console(file=screen)).records(LIMIT))
    assert screen.getvalue() == ""

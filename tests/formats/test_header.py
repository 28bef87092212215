"""Which format a record's headers name."""

import pytest

from live_scoring.formats.header import named_format

KNOWN = ("mastra", "native")


@pytest.mark.parametrize(
    ("headers", "named"),
    [
        ([], None),
        ([("format", b"native")], "native"),
        ([("content-type", b"mastra")], "mastra"),
        ([("content-type", b"mastra"), ("format", b"native")], "native"),
        ([("format", b"unheard"), ("content-type", b"mastra")], "mastra"),
        ([("format", b"\xff"), ("content-type", b"application/json")], None),
        ([("format", None)], None),
    ],
)
def test_the_first_header_that_names_a_known_format_counts(
    headers: list[tuple[str, bytes | None]], named: str | None
) -> None:
    assert named_format(headers, KNOWN) == named

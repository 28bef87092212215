"""What a dead letter says of itself."""

from live_scoring.core.score import Failure
from live_scoring.formats.dead_letter import dead_letter_headers
from tests.builders import SOURCE


def test_a_dead_letter_says_what_failed_and_where_it_came_from() -> None:
    failure = Failure("decode", "missing_field", "agent_id: Field required")
    assert dead_letter_headers(failure, SOURCE) == [
        ("stage", b"decode"),
        ("reason", b"missing_field"),
        ("detail", b"agent_id: Field required"),
        ("topic", b"agent-runs"),
        ("partition", b"0"),
        ("offset", b"7"),
        ("timestamp", b"2026-11-01T12:00:02.000Z"),
    ]


def test_a_dead_letter_bears_a_lone_surrogate() -> None:
    headers = dict(dead_letter_headers(Failure("score", "E", "\ud83d"), SOURCE))
    assert headers["detail"] == "\ufffd".encode()

"""What one dead letter looks like."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from live_scoring.config import WorkerConfig
from live_scoring.dead_letters.showing import show_letter
from live_scoring.formats.dead_letter import Header
from tests.dead_letters.letters import record_of

RUN = b'{"run_id": "run-1", "agent_id": "agent-1", "output": []}'


CONFIG = WorkerConfig()
MAPPED = WorkerConfig.model_validate(
    {
        "topics": {"agents": {"agent-runs": "agent-2"}},
        "mappings": {"own": {"run_id": "$.id", "text": "$.said"}},
    }
)


def show(
    value: bytes, *original: Header, config: WorkerConfig = CONFIG, **letter: Any
) -> list[str]:
    record, facts = record_of(value, *original, **letter)
    return list(show_letter(record, facts, config))


def test_a_letter_tells_what_failed_and_what_it_is_today() -> None:
    assert show(RUN, ("trace", b"\xff"), ("trace", None)) == [
        "letter    0:17, written 2026-11-01T12:00:03.000Z",
        "source    agent-runs 0:7, written 2026-11-01T12:00:02.000Z",
        r"failed    decode: not_json: line 1:\n\x1b[2J",
        "today     can be read (native): run run-1 of agent agent-1",
        r"key       key\x07",
        r"header trace  \xff",
        "header trace  none",
        "value     56 bytes",
        "",
        "{",
        '  "run_id": "run-1",',
        '  "agent_id": "agent-1",',
        '  "output": []',
        "}",
    ]


def test_the_format_that_its_record_named_is_the_one_it_is_read_in_today() -> None:
    assert "today     still cannot be read: missing_field: runId: Field required" in show(
        RUN, ("format", b"mastra")
    )


def test_a_letter_is_read_by_the_mappings_and_the_agents_of_topics_of_today() -> None:
    own = show(b'{"id": "run-2", "said": "hello"}', ("format", b"own"), config=MAPPED)
    assert "today     can be read (own): run run-2 of agent agent-2" in own


def test_what_is_no_json_is_dumped_and_cut() -> None:
    lines = show(b"\x1b[2J" + b"x" * 5_000)
    assert lines[5] == "value     5004 bytes"
    assert lines[7] == (
        "00000000  1b 5b 32 4a 78 78 78 78 78 78 78 78 78 78 78 78  .[2Jxxxxxxxxxxxx"
    )
    assert lines[-1] == "… 908 bytes more; --raw writes all"


def test_a_letter_that_was_cut_or_is_a_score_says_so() -> None:
    assert "value     1 bytes, the head of more" in show(b"{", is_truncated=True)
    assert "today     is a score, not a run" in "\n".join(show(b"{}", stage="publish"))


@given(st.binary() | st.text().map(str.encode) | st.sampled_from([b"[" * 5_000, b"\xff{}"]))
def test_no_bytes_can_act_on_the_terminal(value: bytes) -> None:
    assert all(line.isprintable() for line in show(value, ("\x07", value)))


def test_json_keeps_its_letters_and_escapes_what_would_act() -> None:
    assert show('{"ü": "a\\u202eb\\u001b\\ud800"}'.encode())[-2] == r'  "ü": "a\u202eb\u001b\ud800"'

import pytest

from live_scoring.core.disclosure import CANDID, DISCREET, REDACTED, TEXT_LIMIT, Disclosure
from live_scoring.core.ecmascript import Pattern
from live_scoring.core.score import CheckResult, Failure, NotApplicable
from live_scoring.core.scoring import Answer
from tests.builders import run_saying

CARD = Pattern(r"\d{4}( ?\d{4}){3}")
NUMBER = "4111 1111 1111 1111"
OPEN = Disclosure(has_quotes=True, has_text=True)
REDACTING = Disclosure(has_quotes=True, has_text=True, redactions=(CARD,))

QUOTING: list[Answer] = [
    CheckResult.miss("output is 'secret'", "output of 6 characters"),
    NotApplicable("not about 'secret'", "output of 6 characters"),
    Failure("score", "KeyError", "'secret'", "output of 6 characters"),
]


@pytest.mark.parametrize("answer", QUOTING)
def test_what_quotes_a_run_is_told_where_that_is_allowed_alone(answer: Answer) -> None:
    assert "secret" not in DISCREET.words_of(answer)
    assert DISCREET.words_of(answer) == "output of 6 characters"
    assert "secret" in CANDID.words_of(answer)


def test_what_quotes_nothing_is_told_as_it_is() -> None:
    assert DISCREET.words_of(CheckResult.miss("called 0 times")) == "called 0 times"


def test_text_is_told_only_where_that_is_allowed() -> None:
    run = run_saying("it is ", "sunny")
    assert DISCREET.text_of(run) is None
    assert CANDID.text_of(run) is None
    assert OPEN.text_of(run) == "it is sunny"


def test_text_that_was_not_captured_is_not_told_as_silence() -> None:
    assert OPEN.text_of(run_saying("", has_content=False)) is None


def test_a_long_text_is_cut() -> None:
    assert OPEN.text_of(run_saying("x" * 100_000)) == "x" * TEXT_LIMIT


def test_what_a_pattern_finds_is_told_nowhere() -> None:
    answer = CheckResult.miss(f"output is 'pay {NUMBER}'", "no match")
    assert REDACTING.words_of(answer) == f"output is 'pay {REDACTED}'"
    assert REDACTING.words_of(Failure("score", "E", f"bad {NUMBER}")) == f"bad {REDACTED}"
    assert REDACTING.text_of(run_saying(f"a {NUMBER} b {NUMBER}")) == f"a {REDACTED} b {REDACTED}"


def test_a_quote_that_was_cut_is_left_out_where_patterns_would_miss_its_end() -> None:
    answer = CheckResult.miss(f"output is 'pay {NUMBER[:9]}…'", "no match")
    assert REDACTING.words_of(answer) == "no match"
    assert OPEN.words_of(answer) == answer.reason


@pytest.mark.parametrize("before", [TEXT_LIMIT - 5, 19_990, 20_000])
def test_nothing_of_a_find_is_left_where_a_text_is_cut(before: int) -> None:
    text = REDACTING.text_of(run_saying("x" * before + NUMBER + "x" * 9_000))
    assert text is not None
    assert "1" not in text


def test_nothing_of_a_find_is_left_where_redaction_shortens_the_text() -> None:
    numbers = f"{NUMBER} " * 999 + "x" * 15 + NUMBER
    shortening = Disclosure(has_text=True, redactions=(Pattern(f"({NUMBER} )+"),))
    assert "4111" not in str(shortening.text_of(run_saying(numbers + NUMBER * 99)))


def test_a_pattern_that_runs_away_takes_the_whole_text() -> None:
    runaway = Disclosure(has_text=True, redactions=(Pattern("(x+x+)+y"),))
    assert runaway.text_of(run_saying("x" * 64)) == REDACTED


def test_replacing_keeps_every_other_character() -> None:
    odd = '😀\ud83d\0\u2028$& \\ " ß'
    assert Pattern("b").replaced(f"{odd}b{odd}", "$&") == f"{odd}$&{odd}"


def test_all_redactions_of_a_text_share_the_time_of_one() -> None:
    slow = Disclosure(redactions=(Pattern("^(a+)+$"),) * 100)
    assert slow.redacted("a" * 20 + "b") == REDACTED  # of which each alone finds nothing in time

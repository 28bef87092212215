from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import ValidationError

from live_scoring.checks.pattern import Matches
from live_scoring.core.ecmascript import PatternFailed, PatternTimeout
from live_scoring.core.score import CheckResult, Failure
from live_scoring.core.scoring import Scorer, score_run
from tests.builders import run_saying

RUNAWAY = Matches(pattern="^(a+)+$")
ENDLESS = run_saying("a" * 60 + "b")


def score(check: Matches, text: str) -> float:
    return check(run_saying(text)).score


def test_a_pattern_is_found_anywhere() -> None:
    assert Matches(pattern=r"\d+°[FC]")(run_saying("now 72°F")) == CheckResult.hit(
        "pattern '\\\\d+°[FC]' matches the output"
    )
    assert score(Matches(pattern=r"\d+°[FC]"), "now warm") == 0


def test_messages_are_joined_by_nothing() -> None:
    assert Matches(pattern="^foobar$")(run_saying("foo", "bar")).score == 1


def test_exact_groups_the_alternatives() -> None:
    assert score(Matches(pattern="foo|bar", exact=True), "foobaz") == 0
    assert score(Matches(pattern="foo|bar", exact=True), "bar") == 1


def test_flags_g_and_y_mean_nothing() -> None:
    check = Matches(pattern="b", flags="gy")
    assert [score(check, "ab"), score(check, "ab")] == [1, 1]


def test_the_semantics_are_javascripts() -> None:
    assert score(Matches(pattern=r"^\w$"), "é") == 0
    assert score(Matches(pattern="a$"), "a\n") == 0
    assert score(Matches(pattern="^.$", flags="u"), "😀") == 1
    assert score(Matches(pattern="^.$"), "😀") == 0


def test_lone_surrogates_and_zero_bytes_reach_the_pattern() -> None:
    assert score(Matches(pattern="^\ud83d$"), "\ud83d") == 1
    assert score(Matches(pattern=r"^a\0b$"), "a\0b") == 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"pattern": "(?i)sunny"}, r"\(\?i\) is not JavaScript; take it out and write flags: i"),
        ({"pattern": "foo("}, r"'foo\(' is no JavaScript pattern \(expecting '\)'\); correct it"),
        ({"pattern": "a)(b", "exact": True}, r"'a\)\(b' is no JavaScript pattern"),
        ({"pattern": "(" * 10_000}, "is no JavaScript pattern"),
        ({"pattern": "a", "flags": "x"}, "'x' is no flag; use some of d g i m s u v y"),
        ({"pattern": "a", "flags": "ii"}, "flag i stands twice; write it once"),
        ({"pattern": "a", "flags": "uv"}, "flags u and v exclude each other; keep one"),
    ],
)
def test_a_bad_pattern_is_refused_with_a_remedy(parameters: object, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Matches.model_validate(parameters)


def test_a_runaway_pattern_is_stopped_and_the_next_text_is_tested() -> None:
    for _ in range(3):
        with pytest.raises(PatternTimeout, match="ran over 100 ms on 61 characters; rewrite it"):
            RUNAWAY(ENDLESS)
        assert score(RUNAWAY, "aaa") == 1


def test_a_runaway_pattern_becomes_a_failure_of_that_name() -> None:
    scorer = Scorer("runaway", "scorer", RUNAWAY.id, "0" * 12, RUNAWAY)
    answer = score_run(scorer, ENDLESS)
    assert isinstance(answer, Failure)
    assert answer.reason == "PatternTimeout"


def test_a_pattern_that_needs_too_much_memory_gives_up_and_the_next_text_is_tested() -> None:
    check = Matches(pattern="^(?:a|(b))*$")
    with pytest.raises(PatternFailed, match="gave up on 2000000 characters: out of memory"):
        check(run_saying("a" * 2_000_000))
    assert score(check, "ab") == 1


def test_many_threads_can_ask_at_once() -> None:
    check = Matches(pattern=r"(\w+) \1")
    texts = [f"{word} {word}" if n % 2 else word for n, word in enumerate(["so"] * 2_000)]
    with ThreadPoolExecutor(8) as pool:
        scores = list(pool.map(lambda text: score(check, text), texts))
    assert scores == [n % 2 for n in range(2_000)]


def test_more_patterns_than_are_kept_compiled_still_answer() -> None:
    first = Matches(pattern="^0$")
    for n in range(1_100):
        assert score(Matches(pattern=f"^{n}$"), str(n)) == 1
    assert score(first, "0") == 1

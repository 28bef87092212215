from concurrent.futures import ThreadPoolExecutor

import pytest

from live_scoring.core.ecmascript import Pattern, PatternFailed, PatternTimeout, one_limit

RUNAWAY = Pattern("^(a+)+$")


def test_it_is_looked_for_anywhere_unless_exact() -> None:
    assert Pattern("b").is_in("abc")
    assert not Pattern("b", exact=True).is_in("abc")


def test_exact_groups_the_alternatives() -> None:
    assert not Pattern("foo|bar", exact=True).is_in("foobaz")
    assert Pattern("foo|bar", exact=True).is_in("bar")


def test_flags_g_and_y_mean_nothing() -> None:
    pattern = Pattern("b", "gy")
    assert [pattern.is_in("ab"), pattern.is_in("ab")] == [True, True]


def test_the_semantics_are_javascripts() -> None:
    assert not Pattern(r"^\w$").is_in("é")
    assert not Pattern("a$").is_in("a\n")
    assert Pattern("^.$", "u").is_in("😀")
    assert not Pattern("^.$").is_in("😀")


def test_lone_surrogates_and_zero_bytes_reach_the_pattern() -> None:
    assert Pattern("^\ud83d$").is_in("\ud83d")
    assert Pattern(r"^a\0b$").is_in("a\0b")


@pytest.mark.parametrize(
    ("source", "flags", "message"),
    [
        ("(?i)sunny", "", r"\(\?i\) is not JavaScript; take it out and write flags: i"),
        ("foo(", "", r"'foo\(' is no JavaScript pattern \(expecting '\)'\); correct it"),
        ("(" * 10_000, "", "is no JavaScript pattern"),
        ("a", "x", "'x' is no flag; use some of d g i m s u v y"),
        ("a", "ii", "flag i stands twice; write it once"),
        ("a", "uv", "flags u and v exclude each other; keep one"),
    ],
)
def test_a_bad_pattern_is_refused_with_a_remedy(source: str, flags: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Pattern(source, flags)


def test_a_pattern_that_only_grouping_would_mend_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'a\)\(b' is no JavaScript pattern"):
        Pattern("a)(b", exact=True)


def test_a_runaway_is_stopped_and_the_next_text_is_tested() -> None:
    for _ in range(3):
        with pytest.raises(PatternTimeout, match="ran over 100 ms on 61 characters; rewrite it"):
            RUNAWAY.is_in("a" * 60 + "b")
        assert RUNAWAY.is_in("aaa")


def test_patterns_under_one_limit_are_stopped_together_and_a_pattern_alone_has_its_own() -> None:
    slow = ["a" * 20 + "b"] * 1_000
    with pytest.raises(PatternTimeout), one_limit():
        any(map(RUNAWAY.is_in, slow))
    assert not RUNAWAY.is_in(slow[0])


def test_a_limit_inside_another_gives_no_more_time() -> None:
    with one_limit():
        with pytest.raises(PatternTimeout), one_limit():
            RUNAWAY.is_in("a" * 60 + "b")
        with pytest.raises(PatternTimeout), one_limit():
            RUNAWAY.is_in("b")


def test_one_that_needs_too_much_memory_gives_up_and_the_next_text_is_tested() -> None:
    pattern = Pattern("^(?:a|(b))*$")
    with pytest.raises(PatternFailed, match="gave up on 2000000 characters: out of memory"):
        pattern.is_in("a" * 2_000_000)
    assert pattern.is_in("ab")


def test_many_threads_can_ask_at_once() -> None:
    texts = [f"{word} {word}" if n % 2 else word for n, word in enumerate(["so"] * 2_000)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(Pattern(r"(\w+) \1").is_in, texts))
    assert found == [bool(n % 2) for n in range(2_000)]


def test_more_patterns_than_are_kept_compiled_still_answer() -> None:
    first = Pattern("^0$")
    for n in range(1_100):
        assert Pattern(f"^{n}$").is_in(str(n))
    assert first.is_in("0")

from live_scoring.core.quote import listed, quoted


def test_a_quoted_text_is_one_line_of_bounded_length() -> None:
    assert quoted("a\nb\u2028\ud83d") == r"'a\nb\u2028\ud83d'"
    assert quoted("x" * 100, limit=5) == "'xxxx…'"
    assert quoted("xxxxx", limit=5) == "'xxxxx'"


def test_a_list_of_names_is_cut_after_ten() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed([]) == "none"
    assert listed(list("abcdefghijkl")) == "a, b, c, d, e, f, g, h, i, j, … (12 in all)"


def test_each_name_is_cut_at_80_characters() -> None:
    assert listed(["x" * 100]) == "x" * 80

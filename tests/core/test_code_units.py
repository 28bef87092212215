from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.code_units import contains_units, to_code_units
from live_scoring.core.run import join_texts

TEXTS = st.text(st.sampled_from("ab😀😁\ud83d\ude00é"), max_size=6)


@given(TEXTS)
def test_a_text_has_as_many_units_as_utf_16_gives_it(text: str) -> None:
    assert len(to_code_units(text)) == len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(TEXTS, TEXTS)
def test_containing_is_decided_by_units(text: str, wanted: str) -> None:
    text, wanted = join_texts((text,), ""), join_texts((wanted,), "")
    assert contains_units(text, wanted) == (to_code_units(wanted) in to_code_units(text))


def test_half_a_pair_is_in_the_whole() -> None:
    assert contains_units("😀", "\ud83d")
    assert contains_units("😀", "\ude00")
    assert not contains_units("😀", "\ude01")

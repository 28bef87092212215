from pathlib import Path

import pytest

from live_scoring.config.variables import filled_in


def test_variables_stand_in_their_places() -> None:
    assert filled_in("a ${ONE}, ${TWO}${ONE}", {"ONE": "1", "TWO": "${ONE}"}) == "a 1, ${ONE}1"


def test_a_variable_can_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("secret\n")
    assert filled_in("key=${KEY}", {"KEY": "", "KEY_FILE": str(tmp_path / "key")}) == "key=secret"


@pytest.mark.parametrize(
    ("environ", "problem"),
    [({}, "set the environment variable KEY"), ({"KEY_FILE": "missing"}, "cannot be read")],
)
def test_a_variable_that_is_not_to_be_had_is_told(environ: dict[str, str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        filled_in("${KEY}", environ)

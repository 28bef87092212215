from live_scoring.core.nearest import nearest


def test_a_slip_of_the_pen_is_recognised() -> None:
    assert nearest("treshold", ["sampling", "threshold"]) == "threshold"
    assert nearest("calledTool", ["called_tool", "did_not_call"]) == "called_tool"
    assert nearest("GET_WEATHER", ["get_weather"]) == "get_weather"


def test_what_is_quite_another_word_is_not_suggested() -> None:
    assert nearest("min", ["max"]) is None
    assert nearest("colour", ["includes", "excludes"]) is None
    assert nearest("x", []) is None


def test_the_word_itself_is_no_suggestion() -> None:
    assert nearest("search", ["search", "serch"]) is None

import pytest

from live_scoring.checks.arguments.written import Reader


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"$regx": "x"}, r"args\.\$regx: is no matcher; did you mean \$regex\?"),
        ({"$": "x"}, r"args\.\$: is no matcher; use one of \$any, \$regex, \$near"),
        ({"$any": False}, r"args\.\$any\.value: input should be true; correct it"),
        ({"$near": 72}, r"args\.\$near\.tolerance: field required; its keys are value, tolerance"),
        ({"$near": {"value": 72, "within": 1}}, "its keys are value, tolerance"),
        ({"$near": {"value": 72, "tolerance": -1}}, "greater than or equal to 0"),
        ({"$regex": "("}, r"args\.\$regex: '\(' is no JavaScript pattern"),
        ({"$approx": "x" * 301}, r"args\.\$approx\.value: has 301 characters, above 300; shorten"),
        ({"$one_of": []}, r"args\.\$one_of: is no list of choices; give at least one"),
        ({"$one_of": [{"$no": 1}]}, r"args\.\$one_of\[0\]\.\$no: is no matcher"),
        (
            {"a": {"$any": True, "b": 1}},
            r"args\.a: \$any stands beside other keys; keep it alone, or put the mapping under \$l",
        ),
    ],
)
def test_what_is_no_matcher_is_refused_with_a_remedy(wanted: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Reader("subset").read(wanted, "args")

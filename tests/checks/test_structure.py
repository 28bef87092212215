import json

import pytest
from pydantic import ValidationError

from live_scoring.checks.structure import JsonSchema, StructureTooLarge
from live_scoring.core.ecmascript import PatternTimeout
from live_scoring.core.score import CheckResult
from tests.builders import run_saying

WEATHER = {
    "type": "object",
    "required": ["city"],
    "properties": {"city": {"type": "string", "pattern": r"^\p{Lu}"}, "days": {"type": "array"}},
    "additionalProperties": False,
}


def answer(schema: object, text: str) -> CheckResult:
    return JsonSchema.model_validate({"expected": schema})(run_saying(text))


def fits(schema: object, value: object) -> bool:
    return answer(schema, json.dumps(value)).score == 1


def test_json_that_fits_scores_1() -> None:
    assert answer(WEATHER, '{"city": "Brooklyn"}') == CheckResult.hit(
        "output is JSON that fits the schema"
    )


def test_what_does_not_fit_is_told_with_its_place() -> None:
    assert answer({"items": WEATHER}, '[{"city": "Brooklyn"}, {"city": 5}]') == CheckResult.miss(
        "output does not fit the schema at $[1].city: 5 is not of type 'string'",
        "output does not fit items.properties.city.type of the schema",
        path="$[1].city",
    )


def test_text_that_is_no_json_does_not_fit() -> None:
    assert answer({}, "It is sunny").reason.startswith("output 'It is sunny' is no JSON: ")
    assert answer({}, '```json\n{"city": "Brooklyn"}\n```').score == 0
    assert answer({}, "NaN").score == 0
    assert answer({}, "").score == 0


def test_messages_are_joined_by_nothing() -> None:
    assert JsonSchema(expected={"const": 12})(run_saying("1", "2")).score == 1


def test_an_output_that_a_schema_would_look_at_for_hours_is_an_error() -> None:
    def named(name: str) -> dict[str, object]:
        return {"properties": {"of": {"items": {"$ref": "#/$defs/node"}}, "op": {"const": name}}}

    schema = {
        "$ref": "#/$defs/node",
        "$defs": {"node": {"oneOf": [named("or"), named("and")]}},
    }
    node: dict[str, object] = {"op": "and", "of": []}
    assert fits(schema, {"op": "and", "of": [node] * 200})
    for _ in range(40):
        node = {"op": "and", "of": [node]}
    for _ in range(2):
        with pytest.raises(StructureTooLarge, match="more than 2000 references of the schema"):
            fits(schema, node)


def test_all_patterns_of_a_schema_share_one_limit() -> None:
    with pytest.raises(PatternTimeout):
        fits({"items": {"not": {"pattern": "^(a+)+$"}}}, ["a" * 20 + "b"] * 1_000)


def test_a_schema_may_fit_nothing() -> None:
    assert not fits({"not": {}}, {})


def test_patterns_are_javascripts() -> None:
    assert fits(WEATHER, {"city": "Ösel"})
    assert not fits(WEATHER, {"city": "brooklyn"})
    assert not fits({"pattern": "a$"}, "a\n")


def test_unique_items_are_compared_as_json() -> None:
    assert not fits({"uniqueItems": True}, [1, 1.0])
    assert not fits({"uniqueItems": True}, [{"a": [1]}, {"a": [1.0]}])
    assert fits({"uniqueItems": True}, [1, True, "1", [1], {"a": 1}, None])
    assert fits({"uniqueItems": False}, [1, 1])


def test_a_schema_may_name_its_draft() -> None:
    draft = {"$schema": "http://json-schema.org/draft-07/schema#"}
    assert not fits(draft | {"items": [{"type": "string"}]}, [1])


def test_references_within_the_schema_are_followed() -> None:
    tree = {"$defs": {"node": {"required": ["id"]}}, "items": {"$ref": "#/$defs/node"}}
    assert fits(tree, [{"id": 1}])
    assert not fits(tree, [{}])
    by_id = {"$id": "http://a.example/", "$defs": {"x": {"$id": "x", "type": "integer"}}}
    assert not fits(by_id | {"$ref": "x"}, "text")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "objekt"}, r"expected\.type: 'objekt' is not valid .*; correct the schema"),
        ({"items": {"pattern": "("}}, r"expected: pattern: '\(' is no JavaScript pattern"),
        ({"items": {"$ref": "#/$defs/x"}}, r"\$ref '#/\$defs/x' is not in the schema; put it"),
        ({"$ref": "https://a.example/x.json"}, "is not in the schema; put it under"),
        ({"not": {"patternProperties": {}}}, "is not supported; use propertyNames"),
    ],
)
def test_a_bad_schema_is_refused_with_a_remedy(schema: object, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        JsonSchema.model_validate({"expected": schema})


def test_a_keyword_that_is_only_a_value_is_no_keyword() -> None:
    assert fits({"const": {"$ref": "nowhere"}}, {"$ref": "nowhere"})


@pytest.mark.parametrize(
    ("schema", "text", "message"),
    [
        ({}, " " * 100_001, "output has 100001 characters, above 100000"),
        ({}, json.dumps([0] * 2_000), "output has more than 2000 values"),
        ({"$ref": "#"}, "1", "nested too deeply"),
    ],
)
def test_what_would_take_too_long_is_an_error(schema: object, text: str, message: str) -> None:
    with pytest.raises(StructureTooLarge, match=message):
        answer(schema, text)

"""A check on text that should be JSON of a certain structure."""

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Self

from jsonschema import Draft202012Validator, FormatChecker, SchemaError, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend, validator_for
from pydantic import JsonValue, model_validator
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from live_scoring.core.decoding import parse_json
from live_scoring.core.ecmascript import Pattern, one_limit
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import quoted
from live_scoring.core.run import AgentRun, to_utf8
from live_scoring.core.score import CheckResult, Failure
from live_scoring.core.scoring import Check

TEXT_LIMIT = 100_000
VALUES_LIMIT = 2_000
"""Values, those inside others too; the validator takes some 10 µs for each and keyword."""
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
STEPS_LIMIT = 2_000
"""References that are followed, at 30 µs: a schema that names itself twice makes of each level of
the output twice as many."""


class StructureTooLarge(LiveScoringError):  # noqa: N818 -- the name is the published error type
    """The output is too long, has too many values or is nested too deeply to be checked."""


class _Steps(FormatChecker):
    """How many references may still be followed. The library hands it from schema to schema."""

    def __init__(self) -> None:
        """Begin with all of them."""
        super().__init__(formats=())
        self._left = STEPS_LIMIT

    def take(self) -> None:
        """Follow one."""
        self._left -= 1
        if self._left < 0:
            raise StructureTooLarge(
                f"output needs more than {STEPS_LIMIT} references of the schema"
            )


class JsonSchema(Check):
    """1 if the output is JSON that fits the schema `expected`, else 0.

    The schema is JSON Schema, draft 2020-12 unless its `$schema` names another; `format` says
    nothing, patterns are JavaScript's and have 100 ms together, and `$ref` stays within the schema.
    An output of over 100,000 characters or 2,000 values, or that takes over 2,000 references, is
    not checked, and the outcome is the error `StructureTooLarge`. Messages are joined without a
    space.
    """

    id: ClassVar[str] = "check-json-schema"
    needs_content: ClassVar[bool] = True

    expected: dict[str, JsonValue]
    """The schema; an empty one fits any JSON."""

    @model_validator(mode="after")
    def _check_schema(self) -> Self:
        try:
            # Formats are left out: `regex` would ask for a pattern of Python's.
            type(self._validator).check_schema(self.expected, FormatChecker(formats=()))
        except SchemaError as error:
            path = error.json_path.replace("$", "expected", 1)
            raise ValueError(f"{path}: {error.message[:200]}; correct the schema") from None
        resource = Resource.from_contents(self.expected, default_specification=DRAFT202012)
        _check_keywords(resource, Registry().resolver_with_root(resource))
        return self

    @one_limit()
    def __call__(self, run: AgentRun) -> CheckResult:
        text = run.joined_text
        if len(text) > TEXT_LIMIT:
            raise StructureTooLarge(f"output has {len(text)} characters, above {TEXT_LIMIT}")
        value = parse_json(to_utf8(text))
        if isinstance(value, Failure):
            return CheckResult.miss(
                f"output {quoted(text)} is no JSON: {value.detail}",
                f"output is no JSON: {value.detail}",
            )
        if _has_more_values(value, VALUES_LIMIT):
            raise StructureTooLarge(f"output has more than {VALUES_LIMIT} values")
        try:
            problem = next(self._validator.evolve(format_checker=_Steps()).iter_errors(value), None)
        except RecursionError:
            raise StructureTooLarge("output or schema is nested too deeply") from None
        if problem is None:
            return CheckResult.hit("output is JSON that fits the schema")
        return CheckResult.miss(
            f"output does not fit the schema at {problem.json_path}: {problem.message}",
            f"output does not fit {'.'.join(map(str, problem.absolute_schema_path))} of the schema",
            path=problem.json_path,
        )

    @cached_property
    def _validator(self) -> Any:
        draft = validator_for(self.expected, default=Draft202012Validator)
        known = draft.VALIDATORS
        keywords = {name: _counted(known[name]) for name in _REFERENCES if name in known}
        keywords |= {"pattern": _pattern, "uniqueItems": _unique_items}
        bounded = extend(draft, keywords)  # type: ignore[no-untyped-call] # so the stubs have it
        # An empty registry: the default one would fetch what `$ref` names.
        return bounded(self.expected, registry=Registry())


def _counted(follow: Callable[..., Any]) -> Callable[..., Any]:
    """A keyword that refers to a schema, which may be the one that it stands in."""

    def followed(validator: Any, *rest: Any) -> Any:
        validator.format_checker.take()
        return follow(validator, *rest)

    return followed


def _pattern(validator: Validator, source: str, value: Any, _: Any) -> Iterator[ValidationError]:
    """The keyword `pattern`, in an engine that can be stopped."""
    if validator.is_type(value, "string") and not Pattern(source, "u").is_in(value):
        yield ValidationError(f"{quoted(value)} does not match {quoted(source)}")


def _unique_items(
    validator: Validator,
    is_wanted: bool,  # noqa: FBT001 -- the library calls it so
    value: Any,
    _: Any,
) -> Iterator[ValidationError]:
    """The keyword `uniqueItems`, which the library compares pair by pair."""
    is_asked = is_wanted and validator.is_type(value, "array")
    if is_asked and len(set(map(_hashable, value))) < len(value):
        yield ValidationError("has items that are equal")


def _hashable(value: Any) -> Hashable:
    """The same for values that are equal as JSON: 1 is 1.0, and not true."""
    match value:
        case dict():
            return frozenset((key, _hashable(inner)) for key, inner in value.items())
        case list():
            return tuple(map(_hashable, value))
        case bool():
            return bool, value
    return value  # type: ignore[no-any-return]


def _has_more_values(value: Any, limit: int) -> bool:
    level, count = [value], 1
    while level and count <= limit:
        mappings = (v.values() for v in level if isinstance(v, dict))
        lists = (v for v in level if isinstance(v, list))
        level = [*chain.from_iterable(mappings), *chain.from_iterable(lists)]
        count += len(level)
    return count > limit


def _check_keywords(resource: Resource[Any], resolver: Any) -> None:
    """Refuse, in a schema and those within it, what could not be resolved or stopped.

    Raises:
        ValueError: Says where, what and what to do.
    """
    schema = resource.contents if isinstance(resource.contents, dict) else {}
    if "patternProperties" in schema:
        raise ValueError(
            "expected: patternProperties is not supported; use propertyNames with a pattern"
        )
    try:
        Pattern(schema.get("pattern", ""), "u")
    except ValueError as error:
        raise ValueError(f"expected: pattern: {error}") from None
    for keyword in _REFERENCES:
        try:
            resolver.lookup(schema.get(keyword, "#"))
        except Unresolvable:
            shown = quoted(schema[keyword])
            raise ValueError(
                f"expected: {keyword} {shown} is not in the schema; put it under $defs"
            ) from None
    for inner in resource.subresources():
        _check_keywords(inner, resolver.in_subresource(inner))

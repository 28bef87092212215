"""From bytes to a record, or to the `Failure` that says why they are none."""

import json
from typing import Any, Literal, TypeVar

from msgspec import MsgspecError
from msgspec.json import Decoder
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from live_scoring.core.score import Failure, one_line

DecodeReason = Literal[
    "empty",
    "too_large",
    "not_json",
    "truncated_json",
    "too_deep",
    "unknown_format",
    "missing_field",
    "bad_field",
    "no_content",
]
"""Why a payload could not be read: a metric's label, so the set is closed."""

_OBJECT, _ARRAY = "Input should be an object", "Input should be an array"
_IN_WORDS_OF_JSON = {
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "list_type": _ARRAY,
    "tuple_type": _ARRAY,
}
"""By pydantic's type of error, where its own sentence speaks of Python's types."""

_PARSER = Decoder()

T = TypeVar("T")


def refuse(reason: DecodeReason, detail: str) -> Failure:
    """A failure of the stage `decode`."""
    return Failure("decode", reason, one_line(detail))


class DecodeError(Exception):
    """What a decoder raises, and nothing else but pydantic's `ValidationError`."""

    def __init__(self, reason: DecodeReason, detail: str) -> None:
        """Say why, in one line and without any of the payload's text."""
        super().__init__(detail)
        self.failure = refuse(reason, detail)


def parse_json(payload: bytes) -> Any:
    """The value of JSON, or a `Failure`; of a repeated key the last counts.

    It must be UTF-8 without a byte order mark. `NaN` and `Infinity` are not JSON; a lone
    surrogate is, because JavaScript writes it.
    """
    try:
        return _PARSER.decode(payload)
    except (MsgspecError, RecursionError):
        return _parse_slowly(payload)


def _parse_slowly(payload: bytes) -> Any:
    """Accept lone surrogates, which the quick parser does not, or tell what is wrong."""
    try:
        return json.loads(payload.decode(), parse_constant=_refuse_constant)
    except RecursionError:
        return refuse("too_deep", "nested too deeply to be parsed; flatten it")
    except ValueError as error:
        is_cut = "Extra data" not in str(error) and _is_beginning(payload)
        return refuse("truncated_json" if is_cut else "not_json", str(error))


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _is_beginning(payload: bytes) -> bool:
    """Whether the payload begins as JSON does, so that more bytes could have completed it."""
    try:
        from_json(payload, allow_inf_nan=False, allow_partial=True)
    except ValueError:
        return False
    return True


def is_deeper(value: Any, max_depth: int) -> bool:
    """Whether arrays and objects lie deeper in one another; by levels, as recursion has a limit."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(max_depth):
        children = (c.values() if isinstance(c, dict) else c for c in level)
        level = [v for values in children for v in values if isinstance(v, dict | list)]
        if not level:
            return False
    return bool(level)


def refusal_of(error: ValidationError) -> Failure:
    """Name the first field that is missing or bad, and how; never with the field's value."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    path = "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in first["loc"])
    reason: DecodeReason = "missing_field" if first["type"] == "missing" else "bad_field"
    what = _IN_WORDS_OF_JSON.get(first["type"], first["msg"])
    return refuse(reason, f"{path.removeprefix('.') or 'payload'}: {what}")


def read_record(adapter: TypeAdapter[T], payload: bytes | None) -> T | Failure:
    """Read a record of the worker's own, in one pass when it is as the worker writes it."""
    if not payload:
        return refuse("empty", "the record has no value")
    try:
        return adapter.validate_json(payload)
    except ValidationError:
        value = parse_json(payload)
    if isinstance(value, Failure):
        return value
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        return refusal_of(error)

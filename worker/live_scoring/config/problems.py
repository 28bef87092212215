"""What is wrong with a configuration, each problem a line: `where: path: what; what to do`."""

from collections.abc import Sequence
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from live_scoring.config.sentences import findings_of, sentence_of
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import quoted

Loc = tuple[str | int, ...]

_KEY = "[key]"
"""Pydantic's last step to a key of a mapping that is itself at fault."""


class ConfigError(LiveScoringError):
    """A configuration that cannot be used; carries every problem found, each one line."""

    def __init__(self, problems: Sequence[str]) -> None:
        """Carry problems, at least one."""
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class Problems:
    """Notes the problems of one file in a list that files share."""

    def __init__(self, where: str, lines: list[str]) -> None:
        """Start with what the list holds.

        Args:
            where: The file as the user knows it.
            lines: The list.
        """
        self.where = where
        self.lines = lines

    def add(self, loc: Loc, sentence: str) -> None:
        """Note a problem at a place; the sentence says what is wrong and what to do."""
        place = f"{path_of(loc)}: " if loc else ""
        self.lines.append(f"{self.where}: {place}{sentence}")

    def add_invalid(
        self, error: ValidationError, model: type[BaseModel], raw: object, at: Loc = ()
    ) -> None:
        """Note each problem that pydantic found in `raw`, which stands at `at`."""
        for details in findings_of(error):
            self.add_details(details, model, raw, at)

    def add_details(
        self, details: ErrorDetails, model: type[BaseModel], raw: object, at: Loc = ()
    ) -> None:
        """Note one of them."""
        loc = details["loc"]
        sentence = sentence_of(details, keys_of(model, loc[:-1]))
        self.add((*at, *_written(loc[:-1] if loc[-1:] == (_KEY,) else loc, raw)), sentence)


def path_of(loc: Loc) -> str:
    """A place as text: `scorers.close.sampling`, `cases[0].run`."""
    return "".join(_step(step) for step in loc).removeprefix(".")


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step if step and step.isprintable() else quoted(step)}"


def _written(loc: Loc, raw: object) -> Loc:
    """The part of a place that the user wrote: `sampling` for the rate of `sampling: 1.5`."""
    for index, step in enumerate(loc):
        match raw, step:
            case dict(), str():
                raw = raw.get(step, {})
            case list(), int() if step < len(raw):
                raw = raw[step]
            case _:
                return loc[:index]
    return loc


def keys_of(model: type[BaseModel], loc: Loc) -> Sequence[str]:
    """The keys that a mapping may have which stands at a place of a model."""
    steps = iter(loc)
    for step in steps:
        field = model.model_fields.get(str(step))
        annotation: Any = field.annotation if field else None
        if get_origin(annotation) is dict:
            next(steps, None)
        inner = [a for a in (annotation, *get_args(annotation)) if _is_model(a)]
        if not inner:
            return ()
        model = inner[0]
    return tuple(model.model_fields)


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)

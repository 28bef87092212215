"""`live-scoring eval`: from options to what is printed, written and ended with."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from live_scoring.adapters.files import RunFile, write_file
from live_scoring.config import load_config
from live_scoring.core.disclosure import CANDID
from live_scoring.core.wire import to_json
from live_scoring.formats import Limits
from live_scoring.offline.as_json import to_record
from live_scoring.offline.as_junit import to_junit
from live_scoring.offline.as_markdown import to_markdown
from live_scoring.offline.as_text import to_text
from live_scoring.offline.evaluate import evaluate
from live_scoring.offline.evaluation import Evaluation
from live_scoring.offline.gather import Reading
from live_scoring.wiring import build_formats, build_plan, check_format

Shape = Literal["text", "json", "markdown"]
SHAPES: Mapping[Shape, Callable[[Evaluation], Iterable[str]]] = {
    "text": to_text,
    "json": lambda evaluation: [to_json(to_record(evaluation)).decode()],
    "markdown": to_markdown,
}
"""What may be printed, as lines."""


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """What the command was given beside a file and a configuration."""

    format_name: str | None
    """None looks at each record."""
    shape: Shape | None
    """None is text."""
    junit: Path | None
    """Where to write JUnit XML."""
    is_strict: bool


@dataclass(frozen=True, slots=True)
class Report:
    """What the command is to say and to end with."""

    lines: tuple[str, ...]
    """For standard output."""
    complaints: tuple[str, ...]
    """For standard error."""
    exit_code: int


def evaluate_file(
    file: RunFile, folder: Path, environ: Mapping[str, str], options: EvalOptions
) -> Report:
    """Evaluate a file of runs against a configuration folder.

    Raises:
        LiveScoringError: The configuration or the file cannot be used, or the JUnit file not
            be written.
    """
    config = load_config(folder, environ)
    check_format(options.format_name, config.worker)
    limits = Limits(config.worker.limits.max_bytes, config.worker.limits.max_depth)
    formats, agent_id = build_formats(config.worker), config.worker.topics.only_agent
    format_name = options.format_name or config.worker.only_mapping
    reading = Reading(file.name, format_name, limits, formats, agent_id)
    evaluation = evaluate(file.records(limits.max_bytes), reading, build_plan(config, CANDID))
    if options.junit is not None:
        write_file(options.junit, to_junit(evaluation))
    warnings = (f"warning: {warning}" for warning in evaluation.warnings)
    return Report(
        lines=tuple(SHAPES[options.shape or "text"](evaluation)),
        complaints=(*evaluation.problems, *warnings),
        exit_code=evaluation.exit_code(is_strict=options.is_strict),
    )

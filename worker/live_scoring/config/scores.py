"""The section `scores` of `worker.yaml`: what scores tell of a run's text."""

from typing import Annotated

from pydantic import AfterValidator

from live_scoring.config.values import Flag, Section
from live_scoring.core.ecmascript import Pattern


def _redaction(value: str) -> str:
    if Pattern(value).is_in(""):
        raise ValueError("matches no character at all, too; ask for one at least")
    return value


class ScoresConfig(Section):
    """What scores tell of a run's text, and verdicts and the status page after them."""

    include_text: Flag = False
    """Let scores hold the first 4,096 characters of the output as `text`, and reasons quote the
    run; else no text of a run leaves the worker but in dead letters."""
    redact: tuple[Annotated[str, AfterValidator(_redaction)], ...] = ()
    """JavaScript patterns; what they find is `[redacted]` in texts, reasons and errors of scores
    and in the details of dead letters, whose records stay as they came."""

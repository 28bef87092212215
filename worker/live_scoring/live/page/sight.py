"""What the status page may show, by which plan, and when."""

from dataclasses import dataclass

from live_scoring.core.pipeline import Plan


@dataclass(frozen=True, slots=True)
class Sight:
    """Given to all that is shown."""

    plan: Plan
    now_ms: int
    trace_link: str | None = None
    """An address with `{trace_id}`."""
    shows_text: bool = False
    """Whether reasons may be shown that may quote a run."""
    has_session: bool = False
    """Whether the browser that asks has logged in, and so can log out."""

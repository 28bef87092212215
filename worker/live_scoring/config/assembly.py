"""How runs that come in spans are put together."""

from typing import Self

from pydantic import Field, model_validator

from live_scoring.config.values import Count, Length, Section


class AssemblyConfig(Section):
    """When a trace that comes in spans is closed, by the time of its partition's records."""

    grace: Length = Field(default="10s", validate_default=True)
    """How long a trace stays open for other spans once its root has ended."""
    idle: Length = Field(default="2m", validate_default=True)
    """A trace whose root never came is closed when no span of it came for so long."""
    max_age: Length = Field(default="10m", validate_default=True)
    """A trace is closed at this age, whatever is missing; and remembered as long, to tell late
    spans from a new trace."""
    max_open_traces: Count = 50_000
    """Open traces of a worker; one more closes the oldest."""
    max_open_bytes: Count = 256 * 1024 * 1024
    """Bytes of records that open traces of a worker rest on; more closes the oldest. They take some
    three times as much memory."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if not self.grace <= self.idle <= self.max_age:
            raise ValueError("a longer wait ends before a shorter; let grace <= idle <= max_age")
        return self

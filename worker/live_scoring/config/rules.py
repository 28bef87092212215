"""What stands beside a check in a rule: sampling, bounds, what must pass, which runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, Self, TypeVar

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from live_scoring.config.values import WHOLE, Count, Flag, Pattern, Seconds, Section, Share
from live_scoring.core.quote import quoted
from live_scoring.core.scoring import CallLimits, Check, NamedScorer
from live_scoring.core.verdict import OnError


def _number_for(key: str) -> Callable[[object], object]:
    """A validator: a number alone stands for a mapping with this one key."""

    def expand(value: object) -> object:
        if isinstance(value, str):
            raise ValueError(f"{quoted(value)} is a text; give a number such as 0.5, or a mapping")  # noqa: TRY004 -- pydantic turns only a ValueError into its own
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return {key: value} if is_number else value

    return expand


def _short_require(value: object) -> object:
    if isinstance(value, str) and value != "every":
        raise ValueError(f"{value!r} is not every; give every or {{pass_ratio: 0.995}}")
    return None if value == "every" else value


def _one_or_more(value: object) -> object:
    return value if isinstance(value, list | tuple) else [value]


_TEXT = {"type": "string"}
Wanted = Annotated[
    tuple[str, ...],
    Field(min_length=1),
    BeforeValidator(_one_or_more),
    WithJsonSchema({"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}]}),
]
"""Values of a tag: one text, or a list."""


class SamplingConfig(Section):
    """The share of runs that a scorer sees; a number alone is its rate."""

    type: Literal["ratio", "none"] = "ratio"
    """`none` is every run."""
    rate: Share = 1.0
    """Share of the runs."""
    independent: Flag = False
    """Draw apart from other scorers of the same rate."""
    always_on_error: Flag = False
    """Score a run with a failed tool or an error whatever the rate."""

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if self.type == "ratio" and "rate" not in self.model_fields_set:
            raise ValueError("has no rate; give one from 0 to 1")
        if self.type == "none" and self.model_fields_set - {"type"}:
            raise ValueError("is none and yet has settings; remove them or give type: ratio")
        return self


class RequireConfig(Section):
    """The share of runs that must pass a gate; without it every run must."""

    pass_ratio: Share
    """Share of the runs that must pass."""
    min_failures: Count = 1
    """Failed runs below which the gate cannot fail."""


class ThresholdConfig(Section):
    """Inclusive bounds on a scorer's average; a number alone is `min`."""

    min: Share | None = None
    """Lowest average that is well."""
    max: Share | None = None
    """Highest average that is well."""

    @model_validator(mode="after")
    def _leaves_room(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError("has no bound; give min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min:g} is above max {self.max:g}; swap them")
        return self


class FilterConfig(Section):
    """Which runs a rule asks for; it comes before the sampling."""

    agent: Pattern | None = None
    """Glob over the agent id."""
    tags: dict[str, Wanted] = Field(default_factory=dict)
    """For each named tag of the run, its value or a list of values."""

    @model_validator(mode="after")
    def _asks_something(self) -> Self:
        if self.agent is None and not self.tags:
            raise ValueError("asks for nothing; give agent or tags, or leave it out")
        return self


class RuleOptions(Section):
    """What may stand beside a check in gates and scorers alike."""

    sampling: Annotated[SamplingConfig, BeforeValidator(_number_for("rate"))] = SamplingConfig(
        type="none"
    )
    """Which share of the runs it sees."""
    min_samples: Count | None = None
    """Runs below which the rule is insufficient; none is the window's."""
    filter: FilterConfig | None = None
    """Which runs it asks for."""


class GateOptions(RuleOptions):
    """What may stand beside a check that every run must pass, or a stated share of them."""

    require: Annotated[RequireConfig | None, BeforeValidator(_short_require)] = None
    """`every`, or `{pass_ratio, min_failures}`."""
    critical: Flag = False
    """One failure is enough to wake someone: the alert `CriticalGateFailed` fires for it."""
    on_error: OnError = "fail"
    """What an error of the check is to the gate."""


class ScorerOptions(RuleOptions):
    """What may stand beside a check whose average is tracked, and bounded if it has a threshold."""

    threshold: Annotated[ThresholdConfig | None, BeforeValidator(_number_for("min"))] = None
    """Bounds on the average: a number, or `{min, max}`."""
    on_error: OnError = "ignore"
    """What an error of the check is to the threshold."""


class CallOptions(Section):
    """What may stand beside a scorer of one's own that calls out, to bound its calls."""

    timeout_seconds: Seconds = 10.0
    """How long one call may take."""
    concurrency: Count = 4
    """Calls under way at once."""
    retries: Annotated[int, Field(ge=0, le=10), WHOLE] = 0
    """Further calls about a run after one that failed."""
    budget_per_minute: Count | None = None
    """Calls in any 60 seconds, retries included; further runs are passed over. None is no limit."""


@dataclass(frozen=True, slots=True)
class OwnScorer:
    """A scorer of one's own: where it comes from, what it was built with, and its limits."""

    use: str
    parameters: Mapping[str, Any]
    asked: NamedScorer
    limits: CallLimits | None
    """None for a check, which calls no one."""


OptionsT_co = TypeVar("OptionsT_co", bound=RuleOptions, covariant=True)


@dataclass(frozen=True, slots=True)
class Rule(Generic[OptionsT_co]):
    """A check, or a scorer of one's own, and how one agent uses it."""

    check: Check | OwnScorer
    options: OptionsT_co

    @property
    def identity(self) -> tuple[str, Mapping[str, Any]]:
        """What its scores depend on besides the run: the check's id and parameters."""
        if isinstance(self.check, OwnScorer):
            own = self.check
            return own.asked.id, {"use": own.use, "with": own.parameters}
        return self.check.id, self.check.model_dump(mode="json")

    @property
    def limits(self) -> CallLimits | None:
        """What bounds its calls; None if it makes none."""
        return self.check.limits if isinstance(self.check, OwnScorer) else None


RuleKind = Literal["gates", "scorers"]
OPTIONS: Mapping[RuleKind, type[RuleOptions]] = {"gates": GateOptions, "scorers": ScorerOptions}

"""The configuration to a plan: the one place that joins names to what does the work."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial

from live_scoring.config import AgentConfig, Config, GateOptions, Rule, ScorerOptions
from live_scoring.config.rules import FilterConfig, OwnScorer, RuleOptions, SamplingConfig
from live_scoring.config.scores import ScoresConfig
from live_scoring.config.values import parse_length
from live_scoring.config.worker import WorkerConfig
from live_scoring.core.disclosure import Disclosure
from live_scoring.core.ecmascript import Pattern
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.quote import quoted
from live_scoring.core.sampling import ALWAYS, Sampling
from live_scoring.core.score import ScorerKind
from live_scoring.core.scoring import Check, RunFilter, Scorer, fingerprint
from live_scoring.core.verdict import Gate, Threshold
from live_scoring.core.verdict import Rule as JudgedRule
from live_scoring.core.window import WindowSpec
from live_scoring.formats import FORMATS, Format, Limits
from live_scoring.formats.mapped import read_mapped
from live_scoring.gathering import Reading
from live_scoring.telemetry.traces import Bounds

_MILLISECOND = timedelta(milliseconds=1)


def build_plan(config: Config, disclosure: Disclosure | None = None) -> Plan:
    """What every agent is asked and judged by, ready to run.

    Args:
        config: The configuration.
        disclosure: What scores may tell of a run's text; None is what the configuration allows.
    """
    windows = {
        name: WindowSpec(name, parse_length(name) // _MILLISECOND, window.min_samples)
        for name, window in config.worker.windows.items()
    }
    return Plan(
        agents=tuple(
            AgentPlan(
                pattern=agent.agent,
                windows=tuple(windows[name] for name in agent.windows),
                scorers=tuple(_scorers(agent)),
                rules=tuple(_rules(agent)),
                split_by=agent.split_by,
            )
            for agent in config.agents
        ),
        config_hash=config.hash,
        disclosure=disclosure or _disclosure(config.worker.scores),
    )


def _disclosure(config: ScoresConfig) -> Disclosure:
    redactions = tuple(Pattern(source) for source in config.redact)
    return Disclosure(config.include_text, config.include_text, redactions)


def build_formats(config: WorkerConfig) -> Mapping[str, Format]:
    """What runs may come in: the formats that are known, and the mappings."""
    mapped = {
        name: Format(_is_never_guessed, partial(read_mapped, mapping))
        for name, mapping in config.mappings.items()
    }
    return FORMATS | mapped


def check_format(name: str | None, config: WorkerConfig) -> None:
    """Refuse a format that a command was given and nobody knows.

    Raises:
        LiveScoringError: It names the formats that there are.
    """
    known = build_formats(config)
    if name is not None and name not in known:
        raise LiveScoringError(f"--format: {quoted(name)} is none of {', '.join(known)}")


def build_reading(config: WorkerConfig) -> Reading:
    """What records and traces are read by."""
    limits = Limits(config.limits.max_bytes, config.limits.max_depth)
    return Reading(limits, build_formats(config))


def build_bounds(config: WorkerConfig) -> Bounds:
    """When traces are closed."""
    assembly = config.assembly
    return Bounds(
        grace_ms=assembly.grace // _MILLISECOND,
        idle_ms=assembly.idle // _MILLISECOND,
        max_age_ms=assembly.max_age // _MILLISECOND,
        max_open=assembly.max_open_traces,
        max_open_bytes=assembly.max_open_bytes,
    )


def _is_never_guessed(_value: object) -> bool:
    return False


def _scorers(agent: AgentConfig) -> Iterator[Scorer]:
    for name, gate in agent.gates.items():
        yield _scorer(name, gate, "gate")
    for name, scorer in agent.scorers.items():
        yield _scorer(name, scorer, "scorer")


def _scorer(name: str, rule: Rule[RuleOptions], kind: ScorerKind) -> Scorer:
    check_id, parameters = rule.identity
    return Scorer(
        name=name,
        kind=kind,
        check_id=check_id,
        fingerprint=fingerprint(check_id, parameters),
        run=rule.check.asked.ask if isinstance(rule.check, OwnScorer) else rule.check,
        sampling=_sampling(rule.options.sampling),
        run_filter=_run_filter(rule.options.filter),
        needs_content=isinstance(rule.check, Check) and rule.check.needs_content,
        limits=rule.limits,
    )


def _sampling(config: SamplingConfig) -> Sampling:
    if config.type == "none":
        return ALWAYS
    return Sampling(config.rate, config.independent, config.always_on_error)


def _run_filter(config: FilterConfig | None) -> RunFilter | None:
    return RunFilter(config.agent, config.tags) if config else None


def _rules(agent: AgentConfig) -> Iterator[JudgedRule]:
    for name, gate in agent.gates.items():
        yield _gate(name, gate.options)
    for name, scorer in agent.scorers.items():
        if threshold := _threshold(name, scorer.options):
            yield threshold


def _gate(name: str, options: GateOptions) -> Gate:
    require = options.require
    return Gate(
        name=name,
        pass_ratio=require.pass_ratio if require else None,
        min_failures=require.min_failures if require else 1,
        on_error=options.on_error,
        critical=options.critical,
        min_samples=options.min_samples,
    )


def _threshold(name: str, options: ScorerOptions) -> Threshold | None:
    bounds = options.threshold
    if bounds is None:
        return None
    return Threshold(
        name=name,
        min=bounds.min,
        max=bounds.max,
        on_error=options.on_error,
        min_samples=options.min_samples,
    )

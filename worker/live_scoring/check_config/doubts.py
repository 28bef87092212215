"""Settings that are legal and yet hardly what was meant."""

import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase

from live_scoring.checks.similarity import Similarity
from live_scoring.checks.tools import CalledTool, DidNotCall
from live_scoring.config import AgentConfig, Config, GateOptions, Rule, ScorerOptions
from live_scoring.config.environment import unread_variables
from live_scoring.config.loading import WORKER_FILE
from live_scoring.config.problems import Loc, Problems
from live_scoring.config.rules import RuleOptions
from live_scoring.config.variables import filled_in
from live_scoring.config.webhook import WebhookConfig, check_address, check_header
from live_scoring.core.pipeline import Plan, is_glob
from live_scoring.core.quote import quoted

MANY_RUNS = 1_000
"""More runs than this in one window, only to judge a rule at all, are worth a word."""

Doubt = tuple[Loc, str]

_WILD = re.compile(r"[*?[]")
"""Where a glob stops to be what it matches."""


def doubts_about(config: Config, plan: Plan, environ: Mapping[str, str]) -> tuple[str, ...]:
    """One line for each doubtful setting."""
    lines: list[str] = []
    for variable, meant in unread_variables(environ):
        Problems("environment", lines).add((variable,), f"is not read; did you mean {meant}?")
    told = Problems(WORKER_FILE, lines)
    for loc, sentence in _of_webhooks(config, environ):
        told.add(loc, sentence)
    for agent in config.agents:
        problems = Problems(agent.where, lines)
        for loc, sentence in (*_of_agent(agent, config), *_of_glob(agent, plan)):
            problems.add(loc, sentence)
    return tuple(lines)


def _of_webhooks(config: Config, environ: Mapping[str, str]) -> Iterator[Doubt]:
    known = [agent.agent for agent in config.agents]
    for name, webhook in config.worker.notify.items():
        if not any(_may_meet(pattern, webhook.agents) for pattern in known):
            sentence = f"{quoted(webhook.agents)} matches no agent that has a file; change it"
            yield ("notify", name, "agents"), sentence
        yield from _at(("notify", name), tuple(_of_secrets(webhook, environ)))


def _of_secrets(webhook: WebhookConfig, environ: Mapping[str, str]) -> Iterator[Doubt]:
    """What keeps a worker with this environment from starting; the one that runs may have more."""
    checks: list[tuple[Loc, str, Callable[[str], None]]] = [(("url",), webhook.url, check_address)]
    checks += [(("headers", name), text, check_header) for name, text in webhook.headers.items()]
    for loc, text, check in checks:
        try:
            check(filled_in(text, environ))
        except ValueError as error:
            yield loc, f"{error}, or run will not start"


def _may_meet(one: str, other: str) -> bool:
    """Whether an id may match both; two globs are told apart by how they begin alone."""
    if not is_glob(one):
        return fnmatchcase(one, other)
    if not is_glob(other):
        return fnmatchcase(other, one)
    heads = sorted((_WILD.split(glob, maxsplit=1)[0] for glob in (one, other)), key=len)
    return heads[1].startswith(heads[0])


def _of_agent(agent: AgentConfig, config: Config) -> Iterator[Doubt]:
    if not agent.gates and not any(rule.options.threshold for rule in agent.scorers.values()):
        yield (), "has neither gate nor threshold, so never a verdict; give it one"
    for name, gate in agent.gates.items():
        loc: Loc = ("gates", name)
        yield from _at(loc, (*_of_gate(gate), *_of_rule(gate, agent, config)))
    for name, scorer in agent.scorers.items():
        loc = ("scorers", name)
        yield from _at(loc, (*_of_scorer(scorer), *_of_rule(scorer, agent, config)))
    yield from _of_contrary_gates(agent)


def _at(loc: Loc, doubts: tuple[Doubt, ...]) -> Iterator[Doubt]:
    return (((*loc, *place), sentence) for place, sentence in doubts)


def _of_gate(gate: Rule[GateOptions]) -> Iterator[Doubt]:
    require = gate.options.require
    if require and gate.options.critical:
        yield ("critical",), "one failure is enough, yet require allows some; drop one of the two"
    if require and require.pass_ratio == 0:
        yield ("require", "pass_ratio"), "0 lets every run fail; give the share that must pass"
    if require and require.pass_ratio == 1 and require.min_failures == 1:
        yield ("require",), "asks for every run; write every"


def _of_scorer(scorer: Rule[ScorerOptions]) -> Iterator[Doubt]:
    bounds = scorer.options.threshold
    if bounds is None:
        return
    if bounds.min in {None, 0} and bounds.max in {None, 1}:
        yield ("threshold",), "holds for every average; raise min or lower max"
    if isinstance(scorer.check, Similarity) and scorer.check.threshold is not None:
        sentence = "bounds the share of runs above the check's own threshold; keep one of the two"
        yield ("threshold",), sentence


def _of_rule(rule: Rule[RuleOptions], agent: AgentConfig, config: Config) -> Iterator[Doubt]:
    yield from _of_check(rule.check)
    options = rule.options
    if options.sampling.rate == 0:
        yield ("sampling",), "0 draws no run; raise it or remove the rule"
        return
    wanted = options.filter.agent if options.filter else None
    if wanted and not is_glob(agent.agent) and not fnmatchcase(agent.agent, wanted):
        yield ("filter", "agent"), f"never matches {agent.agent}; change or remove it"
    for name in agent.windows:
        samples = options.min_samples or config.worker.windows[name].min_samples
        runs = round(samples / options.sampling.rate)
        if options.sampling.rate < 1 and runs > MANY_RUNS:
            yield ("sampling",), f"needs {runs:,} runs in {name} to be judged; raise it"


def _of_check(check: object) -> Iterator[Doubt]:
    if isinstance(check, Similarity) and check.threshold is not None:
        loc = ("similarity", "threshold")
        if check.threshold <= 0:
            yield loc, f"{check.threshold:g} is always reached; raise it"
        if check.threshold > 1:
            yield loc, f"{check.threshold:g} is never reached; give at most 1"


def _of_contrary_gates(agent: AgentConfig) -> Iterator[Doubt]:
    wanted: Mapping[str, str] = {
        gate.check.tool: name
        for name, gate in agent.gates.items()
        if isinstance(gate.check, CalledTool) and gate.check.times
    }
    for name, gate in agent.gates.items():
        check = gate.check
        if isinstance(check, DidNotCall) and check.tool in wanted:
            sentence = f"forbids {check.tool}, which {wanted[check.tool]} requires; drop one"
            yield ("gates", name), sentence


def _of_glob(agent: AgentConfig, plan: Plan) -> Iterator[Doubt]:
    """A glob whose plainest match is another file's."""
    if not is_glob(agent.agent):
        return
    plainest = agent.agent.replace("*", "").replace("?", "~")
    found = plan.find(plainest) if "[" not in plainest and plainest else None
    if found and found.pattern != agent.agent and is_glob(found.pattern):
        yield ("agent",), f"{found.pattern} takes {plainest} before it; make one of them narrower"

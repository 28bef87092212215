"""The text of a configuration's files, comments included."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from live_scoring.config.loading import TEST_SUFFIX, WORKER_FILE
from live_scoring.core.quote import printable
from live_scoring.starter.gates import gates_for
from live_scoring.starter.naming import Names
from live_scoring.starter.sample import Seen

_FILES = 20
"""Agents that have a file of their own."""
_OTHERS, _EVERY = "others", "*"
_COMMENT_LIMIT = 200

Files = Mapping[Path, str]


class _Dumper(yaml.SafeDumper):
    """Writes what a terminal would act on as escapes, so that a text stays on its line."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def agent_files(source: str, agents: Mapping[str, Seen], *, has_cases: bool) -> Files:
    """Files of agents by their paths in the folder.

    Args:
        source: Where the sample lay.
        agents: What was seen, by pattern; at least one.
        has_cases: Whether to make a case of a run that was seen, which shows its text.
    """
    files: dict[Path, str] = {}
    by_runs = sorted(agents.items(), key=lambda item: (-item[1].runs, item[0]))
    own, others = by_runs[:_FILES], by_runs[_FILES:]
    names = Names(_OTHERS)
    plans = [(names.give(pattern), pattern, [seen]) for pattern, seen in own]
    if others:
        plans.append((_OTHERS, _EVERY, [seen for _, seen in others]))
    for name, pattern, seen in plans:
        lines = _agent_lines(pattern, source, seen)
        files[Path("agents", f"{name}.yaml")] = "\n".join(lines) + "\n"
        if has_cases and (cases := _cases(seen[0])):
            files[Path("agents", f"{name}{TEST_SUFFIX}")] = cases
    return files


def worker_file(sections: Mapping[str, Any], source: str) -> Files:
    """`worker.yaml` of these sections by its path."""
    return {Path(WORKER_FILE): "\n".join(_worker_lines(sections, source)) + "\n"}


def _worker_lines(sections: Mapping[str, Any], source: str) -> Iterator[str]:
    yield _comment(
        f"Begun by `live-scoring init` from {source}. Whatever is not here has its default;"
    )
    yield "# secrets come from the environment, such as LIVE_SCORING_KAFKA__SASL_PASSWORD."
    for section, keys in sections.items():
        yield f"{section}:"
        yield from (f"  {key}: {_flow(value)}" for key, value in keys.items())


def _agent_lines(pattern: str, source: str, seen: Sequence[Seen]) -> Iterator[str]:
    of = f", of {len(seen)} agents without a file of their own" if pattern == _EVERY else ""
    runs = sum(one.runs for one in seen)
    yield _comment(f"Begun by `live-scoring init` from {source}; runs seen: {runs:,}{of}.")
    yield "# Each gate asks a little less than was seen: tell it what you want instead."
    yield f"agent: {_flow(pattern)}"
    yield "gates:"
    for gate in gates_for(seen):
        yield f"  {_comment(gate.seen)}"
        if gate.rule is None:
            yield "  # Too few to be a rule: look why, with `live-scoring inspect`."
        else:
            yield f"  {_flow(gate.name)}: {_flow(gate.rule)}"


def _cases(seen: Seen) -> str | None:
    """A case of the example, which is the file's agent's; None where it cannot be written."""
    if seen.example is None:
        return None
    try:
        run = seen.example.model_dump(mode="json", exclude_defaults=True, exclude={"agent_id"})
        json.dumps(run, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # a lone surrogate, which YAML cannot hold
        return None
    case = {"name": "a run that was seen", "run": run, "expect": {"verdict": "passed"}}
    comment = "# `live-scoring check-config` runs these cases.\n"
    return comment + _dump({"cases": [case]}, default_flow_style=False)


def _comment(text: str) -> str:
    return f"# {printable(text[:_COMMENT_LIMIT])}"


def _flow(value: object) -> str:
    """A value in one line."""
    return _dump([value], default_flow_style=True).strip()[1:-1]


def _dump(value: object, *, default_flow_style: bool) -> str:
    text: str = yaml.dump(
        value,
        Dumper=_Dumper,
        default_flow_style=default_flow_style,
        sort_keys=False,
        allow_unicode=True,
        width=float("inf"),
    )
    return text

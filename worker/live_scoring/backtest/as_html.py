"""A backtest as one page that needs nothing from anywhere."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import cast

from live_scoring.adapters.files import write_file
from live_scoring.backtest import words
from live_scoring.backtest.agent_html import agent_section
from live_scoring.backtest.chart import CELLS, figure_of
from live_scoring.backtest.course import VERDICTS
from live_scoring.backtest.markup import listed, tag, text
from live_scoring.backtest.report import Backtest
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.wire import to_json

try:
    from plotly.offline import get_plotlyjs
except ImportError as error:
    raise LiveScoringError(
        "--html: needs plotly; run pip install '.[report]' in a checkout"
    ) from error

_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
"""What the page may load: only what stands in it."""
_PARTS = files("live_scoring.backtest") / "page"


def write_page(path: Path, backtest: Backtest) -> None:
    """Write the page.

    Raises:
        LiveScoringError: The file cannot be written.
    """
    write_file(path, to_html(backtest).encode(errors="replace"))


def to_html(backtest: Backtest) -> str:
    """The whole page, some 5 MB: Plotly's script is in it."""
    return "".join(
        (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            tag("title", text(f"Backtest of {backtest.new_policy}")),
            tag("style", _part("page.css")),
            "</head><body>",
            _head(backtest),
            *(agent_section(agent, number) for number, agent in enumerate(backtest.agents)),
            _scripts(backtest),
            "</body></html>\n",
        )
    )


def _part(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _scripts(backtest: Backtest) -> str:
    charted = {f"chart-{n}": figure_of(a) for n, a in enumerate(backtest.agents) if a.windows}
    # Escaped, so that no text can end the element.
    figures = to_json(charted).decode().replace("<", "\\u003c")
    return (
        tag("script", figures, type="application/json", id="figures")
        + tag("script", cast("str", get_plotlyjs()))
        + tag("script", _part("page.js"))
    )


def _head(backtest: Backtest) -> str:
    policy = tag("code", text(backtest.new_policy))
    if backtest.old_policy:
        policy += f" (new) against {tag('code', text(backtest.old_policy))} (old)"
    notes = listed(text(note) for note in backtest.notes)
    return (
        tag("h1", "Backtest")
        + tag("p", policy)
        + tag("p", text(f"{backtest.source}, {words.range_of(backtest)}"), class_="soft")
        + tag("div", *_tiles(backtest), class_="tiles")
        + (tag("div", notes, class_="notes") if notes else "")
        + tag("div", *_legend(), class_="legend")
    )


def _legend() -> Iterator[str]:
    for state in VERDICTS:
        yield tag("span", state, class_=f"verdict {state}")
    told = f"the worst verdict of each of at most {CELLS:,} parts of the range, in UTC"
    yield tag("span", told, class_="soft")


def _tiles(backtest: Backtest) -> Iterator[str]:
    agents = backtest.agents
    olds = [agent.old for agent in agents if agent.old]
    yield _tile("runs", sum(agent.runs for agent in agents))
    yield _tile("agents and groups", len(agents))
    into_failed = sum(old.into_failed for old in olds) if olds else None
    yield _tile("times into failed", sum(agent.new.into_failed for agent in agents), into_failed)
    if olds:
        flips = (flip for agent in agents for flip in agent.flips)
        yield _tile("flips of runs", sum(flip.broken + flip.mended for flip in flips))
    scores = sum(old.scores for old in olds) if olds else None
    yield _tile("scores written", sum(agent.new.scores for agent in agents), scores)


def _tile(name: str, value: int, old: int | None = None) -> str:
    before = "" if old is None else f", old {old:,}"
    told = tag("span", text(name + before), class_="soft")
    return tag("div", tag("b", f"{value:,}"), told, class_="tile")

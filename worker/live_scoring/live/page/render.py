"""The status page as HTML: text is text, and a browser loads nothing but the page itself."""

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from live_scoring.live.fleet import Standing
from live_scoring.live.page.ask import Ask
from live_scoring.live.page.history import HEIGHT, WIDTH
from live_scoring.live.page.own import OwnView
from live_scoring.live.page.sight import Sight
from live_scoring.live.page.view import view_of

REFRESH_SECONDS = 5

_PARTS = files("live_scoring.live.page")


class StatusPage:
    """Writes the page.

    Attributes:
        headers: To be sent with every answer.
    """

    def __init__(self) -> None:
        """Read the template and what stands in it."""
        style, script = _part("page.css"), _part("page.js")
        self.headers = {
            "Content-Security-Policy": _policy(style, script),
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }
        environment = Environment(
            autoescape=True,
            loader=PackageLoader("live_scoring.live", "page"),
            lstrip_blocks=True,
            trim_blocks=True,
            undefined=StrictUndefined,
        )
        fixed = {"width": WIDTH, "height": HEIGHT, "seconds": REFRESH_SECONDS}
        marked = {"style": Markup(style), "script": Markup(script)}  # noqa: S704 -- our own files
        self._template = environment.get_template("page.html", globals={**fixed, **marked})

    def write(self, standing: Iterable[Standing], ask: Ask, sight: Sight, own: OwnView) -> bytes:
        """The page that was asked for, of a fleet and the worker that serves it."""
        view = view_of(standing, ask, sight)
        return self._template.render(view=view, own=own).encode(errors="replace")


def _part(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """What the page may do: run its own script and style, and ask its own server."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}",
            f"style-src {_hash(style)}",
            "connect-src 'self'",
            "img-src data:",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

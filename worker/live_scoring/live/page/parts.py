"""The files that pages are made of, and the policy under which a browser runs them alone."""

import hashlib
from base64 import b64encode
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

_PARTS = files("live_scoring.live.page")


def part(name: str) -> str:
    """A style or a script."""
    return (_PARTS / name).read_text(encoding="utf-8")


def template(name: str, style: str, script: str = "", **fixed: object) -> Template:
    """A page in which all but style and script is text, whatever it holds."""
    environment = Environment(
        autoescape=True,
        loader=PackageLoader("live_scoring.live", "page"),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    marked = {"style": Markup(style), "script": Markup(script)}  # noqa: S704 -- our own files
    return environment.get_template(name, globals={**fixed, **marked})


def headers_of(style: str, script: str = "") -> dict[str, str]:
    """What goes with every answer that is such a page."""
    return {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": _policy(style, script),
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


def _policy(style: str, script: str) -> str:
    """What the page may do: run its own script and style, and ask its own server."""
    running = (f"script-src {_hash(script)}", "connect-src 'self'") if script else ()
    return "; ".join(
        (
            "default-src 'none'",
            *running,
            f"style-src {_hash(style)}",
            "img-src data:",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

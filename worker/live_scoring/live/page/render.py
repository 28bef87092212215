"""The status page as HTML: text is text, and a browser loads nothing but the page itself."""

from collections.abc import Iterable

from live_scoring.live.fleet import Standing
from live_scoring.live.page.ask import Ask
from live_scoring.live.page.history import HEIGHT, WIDTH
from live_scoring.live.page.own import OwnView
from live_scoring.live.page.parts import headers_of, part, template
from live_scoring.live.page.sight import Sight
from live_scoring.live.page.view import view_of

REFRESH_SECONDS = 5


class StatusPage:
    """Writes the page.

    Attributes:
        headers: To be sent with every answer.
    """

    def __init__(self) -> None:
        """Read the template and what stands in it."""
        style, script = part("page.css"), part("page.js")
        self.headers = headers_of(style, script)
        fixed = {"width": WIDTH, "height": HEIGHT, "seconds": REFRESH_SECONDS}
        self._template = template("page.html", style, script, **fixed)

    def write(self, standing: Iterable[Standing], ask: Ask, sight: Sight, own: OwnView) -> bytes:
        """The page that was asked for, of a fleet and the worker that serves it."""
        view = view_of(standing, ask, sight)
        told = {"view": view, "own": own, "has_session": sight.has_session}
        return self._template.render(told).encode(errors="replace")

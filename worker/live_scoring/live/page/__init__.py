"""The status page: the fleet's verdicts, and why, as one page that needs nothing from anywhere."""

from live_scoring.live.page.ask import Ask
from live_scoring.live.page.own import own_view
from live_scoring.live.page.render import StatusPage
from live_scoring.live.page.sight import Sight

__all__ = ["Ask", "Sight", "StatusPage", "own_view"]

"""The status page, one page that needs nothing from anywhere, and the form that leads to it."""

from live_scoring.live.page.ask import Ask
from live_scoring.live.page.login import LoginPage
from live_scoring.live.page.own import own_view
from live_scoring.live.page.render import StatusPage
from live_scoring.live.page.sight import Sight

__all__ = ["Ask", "LoginPage", "Sight", "StatusPage", "own_view"]

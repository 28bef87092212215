"""The pages: metrics, liveness, readiness, verdicts, agents; served by Faust's web server."""

import html
from collections.abc import Awaitable, Callable
from typing import cast

import faust
from aiohttp.web import Request, Response
from faust.web.base import BlueprintManager
from faust.web.drivers.aiohttp import Web

from live_scoring.core.wire import to_json
from live_scoring.live.worker import Worker

_JSON = "application/json"
_UNAVAILABLE = 503

Page = Callable[[Request], Awaitable[Response]]


def add_pages(app: faust.App, worker: Worker) -> None:
    """Serve the pages of a worker, and none of Faust's own, which tell of its inner state."""
    pages = Pages(worker)
    routes: dict[str, Page] = {
        "/metrics": pages.metrics,
        "/livez": pages.livez,
        "/readyz": pages.readyz,
        "/api/verdicts": pages.verdicts,
        "/api/agents": pages.agents,
    }
    web = cast(Web, app.web)
    web.blueprints = BlueprintManager()
    for path, page in routes.items():
        web.web_app.router.add_get(path, page)
    web.web_app.router.add_get("/", _index(routes))


class Pages:
    """Each method is one page."""

    def __init__(self, worker: Worker) -> None:
        """Show this worker."""
        self._worker = worker

    async def metrics(self, request: Request) -> Response:
        """For Prometheus: its text format, or OpenMetrics when asked."""
        body, content_type = await self._worker.metrics.render_async(request.headers.get("Accept"))
        return Response(body=body, headers={"Content-Type": content_type})

    async def livez(self, _request: Request) -> Response:
        """Whether the process works or waits; one that does neither should be started anew."""
        is_alive = self._worker.is_alive
        return _status(is_alive, {"alive": is_alive})

    async def readyz(self, _request: Request) -> Response:
        """Whether every loop has its partitions, rebuilt."""
        loops = self._worker.readiness
        is_ready = bool(loops) and all(loops.values())
        return _status(is_ready, {"ready": is_ready, **loops})

    async def verdicts(self, _request: Request) -> Response:
        """The last verdict of every agent of the fleet, whichever worker gave it."""
        worker = self._worker
        records = [r async for r in worker.fleet.records(worker.setting.plan, worker.clock)]
        body = b'{"verdicts":[' + b",".join(records) + b"]}"
        return Response(body=body, content_type=_JSON)

    async def agents(self, _request: Request) -> Response:
        """The agents that are configured, that have verdicts, and that nobody configured."""
        worker = self._worker
        configured = [
            {
                "agent": agent.pattern,
                "windows": [window.name for window in agent.windows],
                "split_by": agent.split_by,
                "scorers": [scorer.name for scorer in agent.scorers],
                "rules": [rule.name for rule in agent.rules],
            }
            for agent in worker.setting.plan.agents
        ]
        answer = {
            "configured": configured,
            "seen": worker.fleet.agents(),
            "unknown": dict(worker.halves.unknown_agents),
        }
        return Response(body=to_json(answer), content_type=_JSON)


def _status(is_ok: bool, facts: dict[str, bool]) -> Response:  # noqa: FBT001 -- the page's answer
    status = 200 if is_ok else _UNAVAILABLE
    return Response(body=to_json(facts), content_type=_JSON, status=status)


def _index(routes: dict[str, Page]) -> Page:
    items = "".join(
        f'<li><a href="{path}">{path}</a> {html.escape((page.__doc__ or "").rstrip("."))}</li>'
        for path, page in routes.items()
    )
    body = f'<!doctype html><meta charset="utf-8"><title>live-scoring</title><ul>{items}</ul>'

    async def index(_request: Request) -> Response:
        return Response(text=body, content_type="text/html")

    return index

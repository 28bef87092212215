"""The pages: status, metrics, liveness, readiness, verdicts, agents; on Faust's web server."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import cast

import faust
from aiohttp.web import Request, Response
from faust.web.base import BlueprintManager
from faust.web.drivers.aiohttp import Web

from live_scoring.core.wire import to_json
from live_scoring.live.access import LOGIN, LOGOUT, Access
from live_scoring.live.page import Ask, Sight, StatusPage, own_view
from live_scoring.live.worker import Worker

_JSON = "application/json"
_UNAVAILABLE = 503


class Pages:
    """Each method is one page."""

    def __init__(self, worker: Worker, access: Access) -> None:
        """Show this worker to those whom access lets through."""
        self._worker = worker
        self._access = access
        self._clock = worker.clock
        self._status_page = StatusPage()
        self._writing = asyncio.Lock()

    async def status(self, request: Request) -> Response:
        """For people: the fleet's verdicts, and why. Written one at a time, whoever asks."""
        async with self._writing:
            standing = await self._worker.fleet.standing(self._worker.setting.plan, self._clock)
            told = Ask.of(request.query), self._sight(request), own_view(self._worker)
            body = await asyncio.to_thread(self._status_page.write, standing, *told)
        return Response(body=body, headers=self._status_page.headers)

    def _sight(self, request: Request) -> Sight:
        config, plan = self._worker.setting.config.worker, self._worker.setting.plan
        # A copy, since a plan remembers what it finds, and the page is written in a thread.
        own_plan, has_session = replace(plan), self._access.has_session(request)
        told = config.links.trace, config.web.show_text, has_session
        return Sight(own_plan, self._clock.now_ms(), *told)

    async def metrics(self, request: Request) -> Response:
        """For Prometheus: its text format, or OpenMetrics when asked."""
        accept = request.headers.get("Accept")
        chunks, content_type = await self._worker.metrics.render_async(accept)
        return Response(body=_in_turns(chunks), headers={"Content-Type": content_type})

    async def livez(self, _request: Request) -> Response:
        """Whether the process works or waits; one that does neither should be started anew."""
        is_alive = self._worker.is_alive
        return _status(is_alive, {"alive": is_alive})

    async def readyz(self, _request: Request) -> Response:
        """Whether every loop has its partitions, rebuilt."""
        is_ready = self._worker.is_ready
        return _status(is_ready, {"ready": is_ready, **self._worker.readiness})

    async def verdicts(self, _request: Request) -> Response:
        """The last verdict of every agent of the fleet, whichever worker gave it."""
        worker = self._worker
        records = [r async for r in worker.fleet.records(worker.setting.plan, self._clock)]
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


PAGES: dict[str, Callable[[Pages, Request], Awaitable[Response]]] = {
    "/": Pages.status,
    "/metrics": Pages.metrics,
    "/livez": Pages.livez,
    "/readyz": Pages.readyz,
    "/api/verdicts": Pages.verdicts,
    "/api/agents": Pages.agents,
}
"""By path."""


def add_pages(app: faust.App, worker: Worker) -> None:
    """Serve the pages of a worker, and none of Faust's own, which tell of its inner state."""
    access = Access(worker.setting.config.worker.web, PAGES)
    pages = Pages(worker, access)
    web = cast(Web, app.web)
    web.blueprints = BlueprintManager()
    web.web_app.middlewares.append(access.guard)
    router = web.web_app.router
    for path, page in PAGES.items():
        router.add_get(path, partial(page, pages))
    router.add_get(LOGIN, access.show_form)
    router.add_post(LOGIN, access.log_in)
    router.add_post(LOGOUT, access.log_out)


async def _in_turns(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    """Chunks to be sent one after the other, each once the client has taken most before it."""
    for chunk in chunks:
        yield chunk

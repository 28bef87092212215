"""Who may see the pages: whoever sends the token, or a browser that has logged in with it."""

import asyncio
import hashlib
import hmac
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from urllib.parse import parse_qsl

from aiohttp.web import (
    HTTPSeeOther,
    Request,
    RequestPayloadError,
    Response,
    StreamResponse,
    middleware,
)

from live_scoring.config.web import WebConfig
from live_scoring.core.wire import to_json
from live_scoring.live.page import LoginPage

LOGIN, LOGOUT = "/login", "/logout"
_PUBLIC = frozenset({"/metrics", "/livez", "/readyz", LOGIN})
"""Prometheus and whatever watches over processes ask without a token."""
_COOKIE = "live_scoring_session"
_LONGEST_FORM = 10_000
_LONGEST_QUERY = 2_000
"""Characters; in a form three times as long."""
_QUERY = re.compile(r"[!-\[\]-~]*")
"""What may stand in an address: no space, no line end, no backslash."""
_WRONG_SECONDS = 0.5
"""How long a wrong token waits for its answer. That it is long is what keeps it from being found:
this keeps those who try from costing more than a connection each."""
_UNAUTHORIZED, _FORBIDDEN = 401, 403
_CLOSED = (
    "closed, as there is no token; set LIVE_SCORING_WEB__TOKEN or LIVE_SCORING_WEB__TOKEN_FILE, "
    "or web.open where something else decides who gets here"
)
_WANTED = "send the worker's token: Authorization: Bearer …"

Handler = Callable[[Request], Awaitable[StreamResponse]]


class Access:
    """Guards the pages. Keeps nothing: a session is told from the token, so all workers know it."""

    def __init__(self, web: WebConfig, pages: Collection[str]) -> None:
        """Guard as the configuration says.

        Args:
            web: Who may see what.
            pages: The paths that a browser may be sent to once it has logged in.
        """
        self._access = web.access
        self._pages = pages
        self._form = LoginPage()
        token = web.token.get_secret_value() if web.token else ""
        self._token = token.encode()
        self._session = hmac.digest(self._token, b"live-scoring session", hashlib.sha256).hex()

    @middleware
    async def guard(self, request: Request, handler: Handler) -> StreamResponse:
        """Let a request through, or say what is missing."""
        if self._access == "open" or request.path in _PUBLIC or self._is_known(request):
            return await handler(request)
        if self._access == "closed":
            return _refusal(_FORBIDDEN, _CLOSED)
        if _bearer_of(request):
            await asyncio.sleep(_WRONG_SECONDS)
        elif request.path == "/" or "text/html" in request.headers.get("Accept", ""):
            return self._ask_at_door(request)
        return _refusal(_UNAUTHORIZED, _WANTED)

    async def show_form(self, request: Request) -> StreamResponse:
        """Ask a browser for the token, unless it needs none."""
        if self._access == "closed":
            return _refusal(_FORBIDDEN, _CLOSED)
        place = self._wanted(request.query)
        if self._access == "open" or self.has_session(request):
            raise HTTPSeeOther(place)
        return self._ask(place, status=200)

    async def log_in(self, request: Request) -> StreamResponse:
        """Give a browser that sends the token a cookie, which scripts and other sites never see."""
        if self._access != "token":
            return await self.show_form(request)
        form = await _form_in(request)
        place = self._wanted(form)
        if not self._is_token(form.get("token", "").strip()):
            await asyncio.sleep(_WRONG_SECONDS)
            return self._ask(place, "That is not the token.")
        response = HTTPSeeOther(place)
        response.set_cookie(
            _COOKIE, self._session, httponly=True, samesite="Strict", secure=_is_secure(request)
        )
        raise response

    async def log_out(self, request: Request) -> StreamResponse:
        """Take the cookie back; the token stays good, and so do other browsers' cookies."""
        response = HTTPSeeOther(LOGIN)
        response.del_cookie(
            _COOKIE, httponly=True, samesite="Strict", secure=_is_secure(request) or None
        )
        raise response

    def has_session(self, request: Request) -> bool:
        """Whether a browser asks that has logged in."""
        given = request.cookies.get(_COOKIE, "")
        return self._access == "token" and _are_equal(given, self._session.encode())

    def _ask_at_door(self, request: Request) -> Response:
        """Ask in place of a page.

        A link of another site, as in an alert, brings no strict cookie along; so the browser is
        told to ask again by itself, with the cookie if it has one.
        """
        place = _place(request.path, request.rel_url.raw_query_string, self._pages)
        answer = self._ask(place)
        if request.headers.get("Sec-Fetch-Site") == "cross-site":
            answer.headers["Refresh"] = f"0; url={place}"
        return answer

    def _ask(self, place: str, complaint: str = "", status: int = _UNAUTHORIZED) -> Response:
        body = self._form.write(place, complaint)
        return Response(status=status, body=body, headers=self._form.headers)

    def _wanted(self, told: Mapping[str, str]) -> str:
        """The place that a form or an address names, if it is one of ours; else the first page."""
        path, _, query = told.get("place", "").partition("?")
        return _place(path, query, self._pages)

    def _is_known(self, request: Request) -> bool:
        if self._access != "token":
            return False
        return self._is_token(_bearer_of(request)) or self.has_session(request)

    def _is_token(self, given: str) -> bool:
        return _are_equal(given, self._token)


async def _form_in(request: Request) -> Mapping[str, str]:
    """What our form sends; nothing where the body is any other, as one in parts, or too long."""
    length = request.content_length
    if length is None or length > _LONGEST_FORM:
        return {}
    try:
        body = await request.read()
    except RequestPayloadError:  # packed as it says, but badly
        return {}
    return dict(parse_qsl(body.decode(errors="replace"), errors="replace"))


def _bearer_of(request: Request) -> str:
    """The token that a program sends; empty where it sends none, or a proxy's own credentials."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def _place(path: str, query: str, pages: Collection[str]) -> str:
    """An address that leads to one of our pages, whatever is asked for.

    The path is one that we know, so no other host can stand in it.
    """
    if path not in pages:
        return "/"
    fits = query and len(query) <= _LONGEST_QUERY and _QUERY.fullmatch(query)
    return f"{path}?{query}" if fits else path


def _are_equal(given: str, wanted: bytes) -> bool:
    """Compare in a time that tells nothing of where they differ."""
    return hmac.compare_digest(given.encode(errors="surrogateescape"), wanted)


def _is_secure(request: Request) -> bool:
    """Whether the browser speaks TLS, perhaps with a server in front of this one.

    Whoever makes that header up only binds their own cookie to TLS, so anyone may be believed.
    """
    seen, _, _ = request.headers.get("X-Forwarded-Proto", "").partition(",")
    return request.secure or seen.strip().lower() == "https"


def _refusal(status: int, sentence: str) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if status == _UNAUTHORIZED else {}
    body = to_json({"error": sentence})
    return Response(status=status, body=body, content_type="application/json", headers=headers)

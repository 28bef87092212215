"""Who may see the pages: whoever sends the token, or a browser that has logged in with it."""

import hashlib
import hmac
from collections.abc import Awaitable, Callable
from importlib.resources import files

from aiohttp.web import HTTPNotFound, HTTPSeeOther, Request, Response, StreamResponse, middleware

from live_scoring.config.web import WebConfig
from live_scoring.core.wire import to_json

LOGIN = "/login"
"""Where the form that asks a browser for the token is sent to."""
_PUBLIC = frozenset({"/metrics", "/livez", "/readyz", LOGIN})
"""Prometheus and whatever watches over processes ask without a token."""
_COOKIE = "live_scoring_session"
_LONGEST_FORM = 10_000
_FORM = (files("live_scoring.live.page") / "login.html").read_text(encoding="utf-8")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Content-Type": "text/html; charset=utf-8",
}
_CLOSED = (
    "closed, as there is no token; set LIVE_SCORING_WEB__TOKEN or LIVE_SCORING_WEB__TOKEN_FILE, "
    "or web.open where something else decides who gets here"
)
_WANTED = "send the worker's token: Authorization: Bearer …"

Handler = Callable[[Request], Awaitable[StreamResponse]]


class Access:
    """Guards the pages. Keeps nothing: a session is told from the token, so all workers know it."""

    def __init__(self, web: WebConfig) -> None:
        """Guard as the configuration says."""
        self._access = web.access
        token = web.token.get_secret_value() if web.token else ""
        self._token = token.encode()
        self._session = hmac.digest(self._token, b"live-scoring session", hashlib.sha256).hex()

    @middleware
    async def guard(self, request: Request, handler: Handler) -> StreamResponse:
        """Let a request through, or say what is missing."""
        if self._access == "open" or request.path in _PUBLIC or self._is_known(request):
            return await handler(request)
        if self._access == "closed":
            return _refusal(403, _CLOSED)
        if request.path == "/":
            return _form()
        return _refusal(401, _WANTED)

    async def log_in(self, request: Request) -> StreamResponse:
        """Give a browser that sends the token a cookie, which scripts and other sites never see."""
        if self._access != "token":
            raise HTTPNotFound
        length = request.content_length
        form = await request.post() if length is not None and length <= _LONGEST_FORM else {}
        given = form.get("token")
        if not isinstance(given, str) or not self._is_token(given.strip()):
            return _form("That is not the token.")
        response = HTTPSeeOther("/")
        response.set_cookie(
            _COOKIE, self._session, httponly=True, samesite="Strict", secure=_is_secure(request)
        )
        raise response

    def _is_known(self, request: Request) -> bool:
        if self._access != "token":
            return False
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._is_token(given.strip()):
            return True
        return _are_equal(request.cookies.get(_COOKIE, ""), self._session.encode())

    def _is_token(self, given: str) -> bool:
        return _are_equal(given, self._token)


def _are_equal(given: str, wanted: bytes) -> bool:
    """Compare in a time that tells nothing of where they differ."""
    return hmac.compare_digest(given.encode(errors="surrogateescape"), wanted)


def _is_secure(request: Request) -> bool:
    """Whether the browser speaks TLS, perhaps with a server in front of this one."""
    return request.secure or request.headers.get("X-Forwarded-Proto") == "https"


def _form(complaint: str = "") -> Response:
    return Response(
        status=401, text=_FORM.replace("<!-- complaint -->", complaint), headers=_HEADERS
    )


def _refusal(status: int, sentence: str) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}  # noqa: PLR2004 -- HTTP's
    body = to_json({"error": sentence})
    return Response(status=status, body=body, content_type="application/json", headers=headers)

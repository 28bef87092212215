"""The section `web` of `worker.yaml`: where the pages are served, and to whom."""

from ipaddress import ip_address
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, SecretStr, model_validator

from live_scoring.config.secrets import Secret
from live_scoring.config.values import WHOLE, Flag, Name, Section
from live_scoring.core.quote import quoted

Access = Literal["open", "token", "closed"]
"""Whether pages and `/api` ask for nothing, for the token, or are shown to nobody."""

_SHORTEST_TOKEN = 16
"""Characters: so that nobody finds it by trying."""


def _host(value: str) -> str:
    try:
        value.encode("idna")
    except UnicodeError:
        raise ValueError(f"{quoted(value)} is no host; give a name or an address") from None
    return value


def _token(value: SecretStr | None) -> SecretStr | None:
    token = value.get_secret_value() if value else None
    if token is not None and (len(token) < _SHORTEST_TOKEN or not _fits_header(token)):
        wanted = f"{_SHORTEST_TOKEN} or more letters, digits and signs of ASCII without spaces"
        raise ValueError(f"is too easy to guess or not to be typed; give {wanted}")
    return value


def _fits_header(token: str) -> bool:
    return token.isascii() and token.isprintable() and " " not in token


Port = Annotated[int, Field(ge=0, le=65535), WHOLE]


class WebConfig(Section):
    """Where the pages are served, and to whom."""

    host: Annotated[Name, AfterValidator(_host)] = "127.0.0.1"
    """Address to listen on; `0.0.0.0` is every one."""
    port: Port = 9464
    """Port to listen on; 0 takes a free one."""
    token: Annotated[Secret | None, AfterValidator(_token)] = None
    """What pages and `/api` ask for; from the environment or a file only. Without it they are
    closed on any address but this machine's own."""
    open: Flag = False
    """Ask for no token on any address, where something else decides who gets there."""
    show_text: Flag = False
    """Show on the status page also reasons that may quote what a run said."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.open and self.token:
            raise ValueError("open: true never asks for the token; remove one of the two")
        return self

    @property
    def access(self) -> Access:
        """Who may see pages and `/api`; `/metrics`, `/livez` and `/readyz` are for everyone."""
        if self.token:
            return "token"
        return "open" if self.open or _is_own(self.host) else "closed"


def _is_own(host: str) -> bool:
    """Whether only this machine reaches the address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

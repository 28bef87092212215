"""Secrets: they come from the environment or from files of their own, never from `worker.yaml`."""

from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, SecretStr

from live_scoring.core.quote import quoted

Place = tuple[str, ...]
"""The keys that lead to a value of `worker.yaml`."""

SECRETS: frozenset[Place] = frozenset({("kafka", "sasl_password"), ("web", "token")})
FILE_SUFFIX = "_file"
"""Behind a secret's variable it makes that of a file which holds it."""


def _text(value: object) -> object:
    if not isinstance(value, str | SecretStr):
        raise ValueError("is no text; give it as one")  # noqa: TRY004 -- and without its value
    return value


Secret = Annotated[SecretStr, BeforeValidator(_text)]


def read_secret(name: str) -> str:
    """What a file holds, without line breaks at its end.

    Raises:
        ValueError: It cannot be read, or holds nothing; says what to do.
    """
    try:
        secret = Path(name).read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise ValueError(f"{quoted(name)} {problem}; check the file and its rights") from None
    except ValueError:
        raise ValueError(f"{quoted(name)} holds no text; write the secret in UTF-8") from None
    if not secret:
        raise ValueError(f"{quoted(name)} is empty; write the secret into it")
    return secret

"""Texts that hold `${VARIABLE}`: secrets that stand in the environment and in no file."""

import re
from collections.abc import Mapping

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def variables_in(text: str) -> list[str]:
    """Names of the variables that a text holds.

    Raises:
        ValueError: A `${` begins none.
    """
    if "${" in _VARIABLE.sub("", text):
        raise ValueError("holds ${ without a variable; write ${NAME}")
    return _VARIABLE.findall(text)


def filled_in(text: str, environ: Mapping[str, str]) -> str:
    """The text with the values of its variables in their places.

    Raises:
        ValueError: One of them is not set; the message names it and no value.
    """
    missing = next((name for name in variables_in(text) if not environ.get(name)), None)
    if missing:
        raise ValueError(f"${{{missing}}} is not set; set the environment variable {missing}")
    return _VARIABLE.sub(lambda variable: environ[variable[1]], text)

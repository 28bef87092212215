"""Texts that hold `${VARIABLE}`: secrets that stand in the environment and in no file."""

import re
from collections.abc import Mapping

from live_scoring.config.secrets import FILE_SUFFIX, read_secret

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

    A variable may stand in a file instead, which the one with `_FILE` behind it names.

    Raises:
        ValueError: One of them is not to be had; the message names it and no value.
    """
    values = {name: _value_of(name, environ) for name in variables_in(text)}
    return _VARIABLE.sub(lambda variable: values[variable[1]], text)


def _value_of(name: str, environ: Mapping[str, str]) -> str:
    if value := environ.get(name):
        return value
    file = environ.get(name + FILE_SUFFIX.upper())
    if not file:
        raise ValueError(f"${{{name}}} is not set; set the environment variable {name}")
    return read_secret(file)

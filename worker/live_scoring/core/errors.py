"""The root of every exception that leaves the worker."""


class LiveScoringError(Exception):
    """Trouble at an edge, told in one line: where, what, and what to do."""

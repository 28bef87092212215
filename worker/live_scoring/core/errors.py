"""The root of every exception that leaves the worker."""


class LiveScoringError(Exception):
    """Trouble at an edge, told in one line: where, what, and what to do.

    It holds no text of a run, so that it may be told wherever a score is.
    """

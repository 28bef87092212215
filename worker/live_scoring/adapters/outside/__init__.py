"""Asking scorers that call out."""

from live_scoring.adapters.outside.asking import Outside

__all__ = ["Outside"]

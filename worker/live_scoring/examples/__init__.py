"""Scorers to copy from."""

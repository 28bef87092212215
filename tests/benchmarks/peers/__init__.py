"""Contenders, each run as a module with a `Task` as its arguments."""

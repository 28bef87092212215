"""Bytes to runs and records to bytes, pure."""

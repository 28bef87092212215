"""Scoring a bounded stretch of the past with the same core as the live worker."""

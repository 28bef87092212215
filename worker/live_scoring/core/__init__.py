"""The pure part: runs, scores, windows and verdicts; no I/O, no clock, no chance."""

"""`python -m live_scoring` is the command `live-scoring`."""

from live_scoring.cli import main

main()

"""Without a broker: `live-scoring eval`, `explain` and `list-checks`."""

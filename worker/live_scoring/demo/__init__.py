"""`live-scoring demo`: the real worker on an embedded broker, with traffic of four agents."""

"""Live scoring of AI agent runs: checks, gates, verdicts, on Kafka and offline."""

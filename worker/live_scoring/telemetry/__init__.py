"""What formats and dialects share: the envelope of a record, spans, traces, message frames."""

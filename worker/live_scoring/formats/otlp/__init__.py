"""OpenTelemetry's spans and log records, as the Collector's Kafka exporter writes them."""

"""The only I/O: Kafka, Prometheus, files and the embedded broker."""

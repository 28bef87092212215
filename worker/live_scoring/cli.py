"""The command line: `live-scoring`."""

import click


@click.group()
@click.version_option(package_name="live-scoring-worker")
def main() -> None:
    """Score AI agent runs live from Kafka and export verdicts to Prometheus."""

"""The command line: `live-scoring`; what a command does lives elsewhere."""

from typing import Any

import click

from live_scoring.cli.backtest import backtest
from live_scoring.cli.dead_letters import dead_letters
from live_scoring.cli.init import init
from live_scoring.cli.inspect import inspect
from live_scoring.cli.live import demo, run
from live_scoring.cli.offline import check_config, evaluate, explain, list_checks
from live_scoring.cli.options import UNUSABLE
from live_scoring.cli.replay import replay
from live_scoring.cli.traffic import traffic
from live_scoring.core.errors import LiveScoringError


class _Group(click.Group):
    """Tells an error of ours by its lines and an exit code, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except LiveScoringError as error:
            click.echo(str(error), err=True)
            ctx.exit(UNUSABLE)


COMMANDS = (
    run,
    demo,
    traffic,
    inspect,
    init,
    check_config,
    evaluate,
    explain,
    list_checks,
    replay,
    backtest,
    dead_letters,
)
"""In the order of the README."""


@click.group(cls=_Group, commands=COMMANDS)
@click.version_option(package_name="live-scoring-worker")
def main() -> None:
    """Score AI agent runs live from Kafka and export verdicts to Prometheus."""

"""`python -m tests.benchmarks.growth`: how the work on a run grows, as tables for the README."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from tests.benchmarks import scoring_alone
from tests.benchmarks.scoring_alone import Load

_RUNS = 4_000
_SCORERS = (1, 2, 4, 8, 16, 32, 64)
_AGENTS = (10, 100, 1_000, 10_000)
_KIB = (1, 2.5, 5, 10, 20, 50, 100)
_LEAST_ROUNDS = 3


def main() -> None:
    """Measure each load several times and print the least, which others disturbed least."""
    console = Console()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables = (
            ("scorers", [(n, Load(_RUNS, scorers=n)) for n in _SCORERS]),
            ("agents", [(n, Load(max(_RUNS, 2 * n), agents=n)) for n in _AGENTS]),
            ("KiB a run", [(n, Load(_RUNS, kib=n)) for n in _KIB]),
        )
        for title, loads in tables:
            _print(title, loads, folder / title.replace(" ", "-"), console)


def _print(title: str, loads: Iterable[tuple[float, Load]], folder: Path, console: Console) -> None:
    console.print(f"| {title} | CPU µs/run |\n| ---: | ---: |")
    for number, load in loads:
        rounds = range(_LEAST_ROUNDS)
        measured = [scoring_alone.measure(folder, load, f"{number}-{r}") for r in rounds]
        least = min(figures.cpu_us_per_run or 0.0 for figures in measured)
        console.print(f"| {number:,} | {least:,.0f} |")


if __name__ == "__main__":
    main()

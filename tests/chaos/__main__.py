"""`python -m tests.chaos`: rounds of faults on three nodes of Apache Kafka, every figure compared.

SEED, ROUNDS and FIRST, in the environment, say which: the faults of a round follow from the seed
and its number alone.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from tests.chaos.plan import plan_round
from tests.chaos.rounds import Round
from tests.integration.kafka.cluster import Cluster
from tests.integration.kafka.fetching import UnavailableError, fetch_classpath

SEED = int(os.environ.get("SEED", "1"))
ROUNDS = int(os.environ.get("ROUNDS", "50"))
FIRST = int(os.environ.get("FIRST", "0"))


def main(folder: Path) -> int:
    """Play the rounds and say what each has come to; the number of mismatches."""
    console = Console(markup=False, highlight=False, soft_wrap=True)
    cluster = Cluster(fetch_classpath(), folder)
    found = faults = records = 0
    with cluster.running():
        for number in range(FIRST, FIRST + ROUNDS):
            planned = plan_round(SEED, number)
            played = Round(cluster, f"chaos-{SEED}-{number}", folder).play(planned)
            found += len(played.mismatches)
            faults += len(planned)
            records += played.truth.records
            told = ", ".join(map(str, planned))
            console.print(f"round {number}: {told}: {played.outcome}")
            for mismatch in played.mismatches:
                console.print(f"  MISMATCH {mismatch}")
    console.print(
        f"seed {SEED}: {ROUNDS} rounds, {faults} faults, {records} records: {found} mismatches"
    )
    return found


if __name__ == "__main__":
    place = Path(tempfile.mkdtemp(prefix="chaos-"))
    try:
        mismatches = main(place)
    except UnavailableError as reason:
        sys.exit(f"Apache Kafka: {reason}")
    if mismatches:
        sys.exit(f"what brokers and workers said is in {place}")
    shutil.rmtree(place)

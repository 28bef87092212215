"""A small file that unpacks to a large one."""

import gzip
import io
import tracemalloc
from pathlib import Path

from rich.console import Console

from live_scoring.adapters.files import RunFile

LIMIT = 100_000


def test_of_a_line_that_unpacks_without_end_only_its_head_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl.gz"
    with gzip.open(path, "wb") as bomb:
        bomb.write(b'{"run_id": "before"}\n')
        for _ in range(50):
            bomb.write(b"[" * 2**20)
        bomb.write(b'\n{"run_id": "after"}\n')
    assert path.stat().st_size < LIMIT
    tracemalloc.start()
    parts = list(RunFile(path, None, Console(file=io.StringIO())).records(LIMIT))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [(part.number, len(part.content)) for part in parts] == [(1, 20), (2, 100_001), (3, 19)]
    assert peak < 5_000_000

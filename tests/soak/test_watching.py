from tests.soak.watching import Look, complaints


def look(minute: int, memory_mib: float = 100.0, open_files: int = 40, lag: float = 20.0) -> Look:
    return Look(60.0 * minute, memory_mib, open_files, lag, 300.0 * minute, 0.01)


def test_what_stays_is_not_complained_of() -> None:
    looks = [look(minute, memory_mib=100.0 + minute % 3) for minute in range(12)]
    assert list(complaints(looks, 300, rebalances=1)) == []


def test_memory_that_grows_is_complained_of() -> None:
    looks = [look(minute, memory_mib=100.0 + 2 * minute) for minute in range(12)]
    assert list(complaints(looks, 300, 1)) == ["memory grew from 103 to 119 MiB"]


def test_one_file_more_is_complained_of() -> None:
    looks = [look(minute, open_files=40 + (minute > 6)) for minute in range(12)]
    assert list(complaints(looks, 300, 1)) == ["open files grew from 40 to 41"]


def test_runs_that_wait_are_complained_of() -> None:
    looks = [look(minute, lag=3_001.0 * (minute == 5)) for minute in range(12)]
    assert list(complaints(looks, 300, 1)) == ["3001 records waited, more than those of 10 s"]


def test_a_rebalance_is_complained_of() -> None:
    assert list(complaints([look(1)], 300, 2)) == ["partitions were dealt 2 times"]

from tests.chaos.plan import KINDS, ROUND_SECONDS, plan_round


def test_a_round_is_the_same_for_the_same_seed_and_number() -> None:
    assert plan_round(7, 3) == plan_round(7, 3)
    assert plan_round(7, 3) != plan_round(8, 3)
    assert plan_round(7, 3) != plan_round(7, 4)


def test_three_rounds_see_every_kind_of_fault() -> None:
    for seed in range(20):
        assert {fault.kind for number in range(3) for fault in plan_round(seed, number)} == {*KINDS}


def test_faults_happen_while_runs_are_sent() -> None:
    faults = [fault for number in range(100) for fault in plan_round(1, number)]
    assert all(0 < fault.at_seconds < ROUND_SECONDS for fault in faults)

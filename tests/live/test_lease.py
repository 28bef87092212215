"""When a worker may speak."""

from live_scoring.live.lease import Lease


class Watch:
    """A clock that tests set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_nobody_holds_it_at_first() -> None:
    assert not Lease(10, Watch()).is_held


def test_it_is_held_for_a_session_timeout_after_the_group_was_asked() -> None:
    watch = Watch()
    lease = Lease(10, watch)
    lease.renew(asked_at=95.0)
    assert lease.is_held
    watch.now = 105.0
    assert not lease.is_held


def test_a_paused_process_wakes_up_without_it() -> None:
    watch = Watch()
    lease = Lease(10, watch)
    lease.renew(watch.now)
    watch.now += 3600
    assert not lease.is_held


def test_it_can_be_given_up() -> None:
    lease = Lease(10, Watch())
    lease.renew(100.0)
    lease.lose()
    assert not lease.is_held

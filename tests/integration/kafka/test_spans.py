import pytest

from tests.integration.lab import Lab
from tests.integration.span_exactness import assert_exact_over_kills_and_a_join

pytestmark = [pytest.mark.integration, pytest.mark.kafka]


def test_workers_that_are_killed_and_joined_change_no_score(lab: Lab) -> None:
    assert_exact_over_kills_and_a_join(lab, 6_000)

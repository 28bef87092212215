"""Sampling draws the runs that the reference draws."""

from live_scoring.core.sampling import Sampling, draw, is_sampled
from tests.builders import run_saying
from tests.conformance.reading import read_cases


def test_every_sampling_case_is_decided_as_the_reference_did() -> None:
    for case in read_cases("sampling"):
        # Copied in unchecked, because one case has the empty key.
        run = run_saying("hello").model_copy(update={"run_id": case["key"]})
        assert draw(case["key"]) == case["u"], case
        assert case["decide"] == {
            rate: is_sampled(Sampling(float(rate)), run, "any scorer") for rate in case["decide"]
        }, case

"""The tools of these tests; where one cannot be had, its tests are skipped with the reason."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.deploy.tools import UnavailableError, go_program, hadolint, node_packages


def _or_skip(fetch: Callable[[], Path]) -> Path:
    try:
        return fetch()
    except UnavailableError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def compose_spec() -> Path:
    """What Docker Compose itself reads its files with."""
    return _or_skip(lambda: go_program("github.com/compose-spec/compose-go/v2/cmd", "v2.16.2"))


@pytest.fixture(scope="session")
def kustomize() -> Path:
    return _or_skip(lambda: go_program("sigs.k8s.io/kustomize/kustomize/v5", "v5.7.1"))


@pytest.fixture(scope="session")
def dockerfile_linter() -> Path:
    return _or_skip(lambda: hadolint("2.15.1"))


@pytest.fixture(scope="session")
def kubernetes_models() -> Path:
    """Types of Kubernetes' objects and of the custom ones, and the compiler that holds to them."""
    return _or_skip(
        lambda: node_packages(
            "kubernetes-models@5.1.0",
            "@kubernetes-models/keda@2.0.0",
            "@kubernetes-models/prometheus-operator@6.0.0",
            "typescript@5.9.3",
        )
    )

"""Options of the test run."""

import pytest
from hypothesis import settings


def pytest_configure() -> None:
    """Let no property fail because the machine is busy."""
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks at groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep tests that share one Apache Kafka together when others run beside them.

    Those of rights stand on a locked one, and take as long as all others.
    """
    for item in items:
        if item.path.parent.name == "kafka" and "integration" in item.path.parts:
            is_of_rights = item.path.stem in {"test_locked", "test_revoked", "test_unreadable"}
            item.add_marker(pytest.mark.xdist_group("locked" if is_of_rights else "kafka"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite golden files instead of comparing"
    )
    parser.addoption(
        "--broker",
        choices=("embedded", "kafka"),
        default="embedded",
        help="what integration tests stand on that are not for Apache Kafka alone",
    )


@pytest.fixture
def is_updating(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden"))

"""Options of the test run."""

import pytest
from hypothesis import settings


def pytest_configure() -> None:
    """Let no property fail because the machine is busy."""
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite golden files instead of comparing"
    )


@pytest.fixture
def is_updating(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden"))

"""What all tests share: fixed examples without a clock, and the leg that runs without JIT."""

import numba
import pytest
from hypothesis import settings

from tests.command_line import clutch

__all__ = ["clutch"]  # a fixture
WITHOUT_JIT = bool(numba.config.DISABLE_JIT)

settings.register_profile(
    "fixed",
    deadline=None,
    derandomize=True,
    print_blob=True,
    max_examples=10 if WITHOUT_JIT else 100,
)
settings.load_profile("fixed")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker; silence wrap-around, which is meant, where NumPy scalars warn of it."""
    config.addinivalue_line("markers", "compiled_only: skipped when NUMBA_DISABLE_JIT is set")
    config.addinivalue_line(
        "filterwarnings", "ignore::numba.core.errors.NumbaExperimentalFeatureWarning"
    )
    if WITHOUT_JIT:
        config.addinivalue_line(
            "filterwarnings", "ignore:overflow encountered in scalar:RuntimeWarning"
        )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what makes no sense, or takes for ever, without JIT."""
    for item in items:
        if WITHOUT_JIT and item.get_closest_marker("compiled_only"):
            item.add_marker(pytest.mark.skip(reason="needs compiled code"))

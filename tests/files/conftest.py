from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest


@pytest.fixture
def no_room() -> Iterator[None]:
    """Limit every file to a kilobyte, as on a full disk."""
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, unlimited[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)

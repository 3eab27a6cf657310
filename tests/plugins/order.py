"""The order of the tests, and the marks that follow from the fixtures they need."""

from __future__ import annotations

import pytest

SLOW = {"shared_run", "workshop", "tiny_encoder"}
"""Fixtures of what `make test-fast` leaves out: the shared run, stages run one by one, torch."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark slow tests, and order them so that two workers of pytest-xdist seldom wait for each other.

    The tests in the folder of the shared run come first, in one worker, which makes that run. The tests
    of the ranker that it exported come last. All others are grouped by file.
    """
    grouped = config.pluginmanager.hasplugin("xdist")
    for item in items:
        needed = _needed(item)
        if needed & SLOW:
            item.add_marker("slow")
        if grouped:
            # A group goes to one worker, so a file's tests that need no run should not wait for it.
            file = f"{item.path}, shared run" if "shared_run" in needed else str(item.path)
            item.add_marker(pytest.mark.xdist_group("pipeline" if "pipeline" in needed else file))
    items.sort(key=lambda item: ("pipeline" not in _needed(item), "shared_run" in _needed(item)))


def _needed(item: pytest.Item) -> set[str]:
    return set(getattr(item, "fixturenames", ()))

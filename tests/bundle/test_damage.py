"""What an error in a block that reads a part of a bundle becomes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulerank.bundle.damage import expecting
from rulerank.errors import BundleError


def test_error_of_a_reader_names_the_part_and_the_cause() -> None:
    with (
        pytest.raises(BundleError, match=r"part\.npy: expected vectors, found damage \(OSError: short\)"),
        expecting("vectors", Path("part.npy")),
    ):
        raise OSError("short")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_stop_is_no_damage(stop: type[BaseException]) -> None:
    with pytest.raises(stop), expecting("vectors", Path("part.npy")):
        raise stop


def test_reader_that_is_given_up_is_no_damage() -> None:
    def parts() -> Iterator[int]:
        with expecting("vectors", Path("part.npy")):
            yield 1
            yield 2

    reader = parts()
    next(reader)
    # A generator that is closed before its end raises GeneratorExit where it stands.
    reader.close()

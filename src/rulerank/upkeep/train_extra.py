"""The packages of the extra `train` that changing a bundle takes."""

from __future__ import annotations

from importlib import import_module

NEEDED = ("onnx", "scipy.sparse.csgraph")


def import_train_extra() -> None:
    """Import them before any work, so that one that is missing is told at once.

    A request to end that meets the import of a compiled module may crash the process; at this point, that
    leaves nothing behind.

    Raises
    ------
    ModuleNotFoundError
        One of them is not installed.

    """
    for name in NEEDED:
        import_module(name)

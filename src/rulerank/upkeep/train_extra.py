"""The packages of the extra `train` that are needed to change a bundle."""

from __future__ import annotations

from importlib import import_module

NEEDED = ("onnx", "scipy.sparse.csgraph")


def import_train_extra() -> None:
    """Import them before any work, so that a missing one is reported at once.

    A signal that arrives during the import of a compiled module may crash the process; at this point, nothing
    is left behind.

    Raises
    ------
    ModuleNotFoundError
        One of them is not installed.

    """
    for name in NEEDED:
        import_module(name)

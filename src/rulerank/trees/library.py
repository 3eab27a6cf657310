"""LightGBM's C API, called without its Python package.

The package imports pandas and scikit-learn, which takes about a second and much memory; a service that only
scores rows needs neither. The functions used are those of the documented C API (include/LightGBM/c_api.h).
"""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rulerank.errors import RulerankError


def call(function: str, *arguments: Any) -> None:
    """Call a function of the C API.

    Raises
    ------
    RulerankError
        LightGBM refuses; the error repeats its message.

    """
    if getattr(library(), function)(*arguments):
        raise RulerankError(f"LightGBM: {library().LGBM_GetLastError().decode()}")


@cache
def library() -> ctypes.CDLL:
    """Return LightGBM's library, loaded without its Python package.

    Raises
    ------
    RulerankError
        The package lightgbm is not installed, or not whole.

    """
    package = find_spec("lightgbm")
    if package is None or package.origin is None:
        raise RulerankError("expected the package lightgbm, found none. Run `pip install lightgbm`.")
    # The package's own module knows where the library is on each system, and imports nothing else.
    spec = spec_from_file_location("_rulerank_lightgbm_library", Path(package.origin).with_name("libpath.py"))
    if spec is None or spec.loader is None:
        raise RulerankError("expected libpath.py in the package lightgbm, found none. Install it again.")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    loaded: ctypes.CDLL = module._LIB
    loaded.LGBM_GetLastError.restype = ctypes.c_char_p
    return loaded


def pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    """Return the address of an array's values in the C API's type; the array must outlive the call."""
    return array.ctypes.data_as(ctypes.c_void_p)

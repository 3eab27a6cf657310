"""The machine that a figure was measured on."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path

import psutil

LIBRARIES = ("rulerank", "numpy", "scipy", "polars", "lightgbm", "onnxruntime")
CPUINFO = Path("/proc/cpuinfo")


def machine() -> dict[str, str]:
    """Return processor, cores, memory, load, and versions of Python and the libraries that do the work."""
    said = CPUINFO.read_text(encoding="utf-8") if CPUINFO.is_file() else ""
    named = re.search(r"^model name\s*:\s*(.+)$", said, re.MULTILINE)
    return {
        "processor": named[1] if named else platform.processor() or platform.machine(),
        # Training rounds differently if it is available.
        "bfloat16": "yes" if re.search(r"\b(avx512_bf16|amx_bf16|bf16)\b", said) else "no",
        "cores": str(os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        "load before": f"{psutil.getloadavg()[0]:.1f}",
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }

"""What a folder holds, to compare it with another."""

from __future__ import annotations

from pathlib import Path


def contents(root: Path) -> dict[str, bytes]:
    """Return the bytes of every file in a folder, by its path."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

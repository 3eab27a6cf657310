"""The features of a (query, passage) pair, in one registry; one module a group."""

from __future__ import annotations

from importlib import import_module


def declare_all() -> None:
    """Import every group, so that each of its features stands in the registry."""
    from rulerank.features.registry import GROUPS

    for group in GROUPS:
        import_module(f"rulerank.features.{group}")

"""The features of a (query, passage) pair, in one registry; one module per group."""

from __future__ import annotations


def declare_all() -> None:
    """Import every group, so that each of its features is in the registry."""
    # Each is imported by name, so that what depends on the features follows from the imports.
    from rulerank.features import (  # noqa: F401
        authority,
        beneath,
        centrality,
        closure,
        fusion,
        judgement,
        late,
        lexical,
        listwise,
        neighbours,
        obligation,
        structure,
        translation,
    )

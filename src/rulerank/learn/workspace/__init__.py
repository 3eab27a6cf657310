"""What the stages of the pipeline leave for one another, and what is built from it."""

from rulerank.learn.workspace.build import Workspace
from rulerank.learn.workspace.outputs import (
    ADAPTERS,
    EMBEDDINGS,
    ENCODERS,
    FIRST_PASSES,
    GRAPH,
    LATE_MAPS,
    LATENT,
    TABLES,
    TOKENS,
)

__all__ = [
    "ADAPTERS",
    "EMBEDDINGS",
    "ENCODERS",
    "FIRST_PASSES",
    "GRAPH",
    "LATENT",
    "LATE_MAPS",
    "TABLES",
    "TOKENS",
    "Workspace",
]

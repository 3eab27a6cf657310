"""The format of an exported ranker, its files, and the names of its models."""

FORMAT = 9
"""Raised whenever a bundle of one version cannot be read by the other; docs/bundle.md says what changed."""

MANIFEST, FEATURES, CALIBRATION = "manifest.json", "features.json", "calibration.json"
TRUST, SELECTION, COMPLETION, AFFINITY = "trust.json", "selection.json", "completion.json", "affinity.json"
DOCUMENT_TABLE, PASSAGE_TABLE, EDGE_TABLE = "documents.arrow", "passages.arrow", "edges.arrow"
INDEX, GOLDEN = "index", "golden"
ENCODER, TOKEN_ENCODER = "encoder", "token_encoder"

RANKER = "ranker"
"""The model that answers, by itself or through the next."""

WITHOUT_JUDGEMENT = "ranker_without_judgement"
"""The model that has learned nothing about single passages: what to expect of a new rulebook."""

WITH_JUDGEMENT = "ranker_with_judgement"
"""The trees of `RANKER`, whatever the question: what it would say if it answered all by itself."""

FIRST_PASS = "first_pass"  # noqa: S105
"""What makes the list that the models look at, unless none of their features does."""


def affinity_of(model: str) -> str:
    """Return what the files of a model's affinity are called."""
    return f"{model}_affinity"

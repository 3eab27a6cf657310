"""The format of an exported ranker, its files, and the names of its models."""

FORMAT = 15
"""Raised whenever one version cannot read the other's bundles; docs/bundle.md says what changed."""

MANIFEST, FEATURES, CALIBRATION = "manifest.json", "features.json", "calibration.json"
TRUST, SELECTION = "trust.json", "selection.json"
COMPLETION, AFFINITY, STANDING = "completion.json", "affinity.json", "standing.json"
DOCUMENT_TABLE, PASSAGE_TABLE, EDGE_TABLE = "documents.arrow", "passages.arrow", "edges.arrow"
INDEX, GOLDEN = "index", "golden"
ENCODER, TOKEN_ENCODER = "encoder", "token_encoder"

RANKER = "ranker"
"""The model that answers, itself or through `ON_NEW_RULES`."""

WITHOUT_JUDGEMENT = "ranker_without_judgement"
"""The model that has learned nothing about single passages, shown to see what judgements add."""

ON_NEW_RULES = "ranker_on_new_rules"
"""The trees of `WITHOUT_JUDGEMENT` and a linear model: for questions about rules that nobody has judged."""

WITH_JUDGEMENT = "ranker_with_judgement"
"""The trees of `RANKER`, used for every question: its scores if it left none to another model."""

FIRST_PASS = "first_pass"  # noqa: S105
"""The model that makes the list that the models use, unless none of their features needs it."""


def affinity_of(model: str) -> str:
    """Return the name of the files of a model's affinity."""
    return f"{model}_affinity"

"""Questions to repeat, and lists of texts of a few words."""

from __future__ import annotations

from hypothesis import strategies as st

QUESTION = (
    "Which records of client money must an authorised custodian reconcile every calendar month, "
    "and where may the reconciliation be delegated to an outside auditor?"
)
OTHERS = [
    "How soon is a listed company to announce the resignation of its chairman?",
    "Does the levy on captive insurers depend on gross premium?",
    "When may a fund be closed to redemptions?",
]
WORDS = ["ledger", "audit", "premium", "chairman", "custody", "levy", "the"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), max_size=12)

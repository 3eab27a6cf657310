"""The exported ranker: what it consists of, how it is written, verified and loaded."""

from rulerank.bundle.contents import FIRST_PASS, MANIFEST, RANKER, WITHOUT_JUDGEMENT, Bundle, Model
from rulerank.bundle.load import load_bundle
from rulerank.bundle.write import write_bundle

__all__ = [
    "FIRST_PASS",
    "MANIFEST",
    "RANKER",
    "WITHOUT_JUDGEMENT",
    "Bundle",
    "Model",
    "load_bundle",
    "write_bundle",
]

"""The exported ranker: what it consists of, how it is written, verified and loaded."""

from rulerank.bundle.contents import (
    FIRST_PASS,
    MANIFEST,
    RANKER,
    WITH_JUDGEMENT,
    WITHOUT_JUDGEMENT,
    Bundle,
    Contents,
    Model,
)
from rulerank.bundle.golden import Golden, KeptGolden
from rulerank.bundle.load import load_bundle
from rulerank.bundle.prove import verify_bundle
from rulerank.bundle.upkeep import Upkeep, read_upkeep
from rulerank.bundle.write import Encoders, write_bundle

__all__ = [
    "FIRST_PASS",
    "MANIFEST",
    "RANKER",
    "WITHOUT_JUDGEMENT",
    "WITH_JUDGEMENT",
    "Bundle",
    "Contents",
    "Encoders",
    "Golden",
    "KeptGolden",
    "Model",
    "Upkeep",
    "load_bundle",
    "read_upkeep",
    "verify_bundle",
    "write_bundle",
]

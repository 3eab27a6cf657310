"""The exported ranker: its parts, and how it is written, loaded, verified, described and compared."""

from rulerank.bundle.contents import Bundle, Contents
from rulerank.bundle.describe import describe_bundle
from rulerank.bundle.destination import known_as, require_replaceable
from rulerank.bundle.diff import compare_bundles
from rulerank.bundle.golden import Golden, KeptGolden
from rulerank.bundle.load import load_bundle
from rulerank.bundle.model import Model
from rulerank.bundle.names import (
    FIRST_PASS,
    MANIFEST,
    ON_NEW_RULES,
    RANKER,
    WITH_JUDGEMENT,
    WITHOUT_JUDGEMENT,
)
from rulerank.bundle.slim import slim_bundle
from rulerank.bundle.upkeep import Upkeep, read_upkeep
from rulerank.bundle.verify import verify_bundle
from rulerank.bundle.write import Encoders, write_bundle

__all__ = [
    "FIRST_PASS",
    "MANIFEST",
    "ON_NEW_RULES",
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
    "compare_bundles",
    "describe_bundle",
    "known_as",
    "load_bundle",
    "read_upkeep",
    "require_replaceable",
    "slim_bundle",
    "verify_bundle",
    "write_bundle",
]

"""params.yaml and similar files, each read as frozen, validated objects."""

from rulerank.settings.data import Graph, Prepare
from rulerank.settings.described import read_described
from rulerank.settings.dotted import flat, nested
from rulerank.settings.encoder import Adapter, Encoder, Finetune, Late, Translation
from rulerank.settings.features import BUILT_IN_RUNS, Bm25, Candidates, Closure, Expansion, Extract
from rulerank.settings.load import Settings, load_settings
from rulerank.settings.ranker import Affinity, Ranker
from rulerank.settings.refwalk import FusionName, RefWalkSettings
from rulerank.settings.results import (
    MOST_EXAMPLES,
    Answering,
    AnswerStyle,
    Evaluate,
    MeasuredByModels,
    ModelAnswers,
    require_store,
)
from rulerank.settings.section import Device, Section
from rulerank.settings.text import ANALYSERS, Text

__all__ = [
    "ANALYSERS",
    "BUILT_IN_RUNS",
    "MOST_EXAMPLES",
    "Adapter",
    "Affinity",
    "AnswerStyle",
    "Answering",
    "Bm25",
    "Candidates",
    "Closure",
    "Device",
    "Encoder",
    "Evaluate",
    "Expansion",
    "Extract",
    "Finetune",
    "FusionName",
    "Graph",
    "Late",
    "MeasuredByModels",
    "ModelAnswers",
    "Prepare",
    "Ranker",
    "RefWalkSettings",
    "Section",
    "Settings",
    "Text",
    "Translation",
    "flat",
    "load_settings",
    "nested",
    "read_described",
    "require_store",
]

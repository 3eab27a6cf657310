"""params.yaml and similar files, each read as frozen, validated objects."""

from rulerank.settings.data import Data, Graph, Prepare, Sample
from rulerank.settings.described import read_described
from rulerank.settings.dotted import flat, nested
from rulerank.settings.encoder import Adapter, Encoder, Finetune, Late, Latent
from rulerank.settings.features import (
    Bm25,
    Candidates,
    Closure,
    EdgeType,
    Expansion,
    Extract,
    Walk,
)
from rulerank.settings.load import Settings, load_settings
from rulerank.settings.ranker import Affinity, Ranker, Standing, Tune
from rulerank.settings.refwalk import FusionName, RefWalkSettings
from rulerank.settings.results import (
    MOST_EXAMPLES,
    Answering,
    AnswerStyle,
    Evaluate,
    Explain,
    MeasuredByModels,
    ModelAnswers,
    Track,
    require_store,
)
from rulerank.settings.section import Device, Section
from rulerank.settings.text import ANALYSERS, Text

__all__ = [
    "ANALYSERS",
    "MOST_EXAMPLES",
    "Adapter",
    "Affinity",
    "AnswerStyle",
    "Answering",
    "Bm25",
    "Candidates",
    "Closure",
    "Data",
    "Device",
    "EdgeType",
    "Encoder",
    "Evaluate",
    "Expansion",
    "Explain",
    "Extract",
    "Finetune",
    "FusionName",
    "Graph",
    "Late",
    "Latent",
    "MeasuredByModels",
    "ModelAnswers",
    "Prepare",
    "Ranker",
    "RefWalkSettings",
    "Sample",
    "Section",
    "Settings",
    "Standing",
    "Text",
    "Track",
    "Tune",
    "Walk",
    "flat",
    "load_settings",
    "nested",
    "read_described",
    "require_store",
]

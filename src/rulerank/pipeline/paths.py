"""Where the stages put what later stages read, relative to the project's folder."""

from __future__ import annotations

from pathlib import Path

DATA = Path("${data.root}")
"""The corpus; DVC substitutes the value from params.yaml."""
FEEDBACK = Path("${prepare.feedback}")
SAMPLES = SAMPLE, KOREAN_SAMPLE = Path("data/sample"), Path("data/sample_korean")
"""The generated corpora, which the pipeline itself writes."""
OTHERS = Path("data/others")
"""What other corpora contribute: their training questions."""
OTHER_PAIRS, OTHER_FEATURES = OTHERS / "pairs", OTHERS / "features"

OUTPUTS = Path("outputs")
FIGURES = OUTPUTS / "figures"
"""What each stage returns, one JSON file per stage; `rulerank.timing` keeps what differs between runs."""

TABLES = OUTPUTS / "tables"

GRAPH = OUTPUTS / "graph"
EDGE_TABLE, CENTRALITY_TABLE = GRAPH / "edges.parquet", GRAPH / "centrality.parquet"

ENCODERS = OUTPUTS / "encoder"

DENSE = OUTPUTS / "dense"
EMBEDDINGS, ADAPTERS = DENSE / "embeddings.safetensors", DENSE / "adapters"
LATENT = DENSE / "latent.safetensors"

INDEX = OUTPUTS / "index"
CANDIDATE_TABLE = OUTPUTS / "candidates.parquet"

TRANSLATION = OUTPUTS / "translation"
TRANSLATION_TABLES = TRANSLATION / "tables"

LATE = OUTPUTS / "late"
TOKENS, LATE_MAPS = LATE / "tokens.safetensors", LATE / "maps"

PAIRS, FIRST_PASSES = OUTPUTS / "pairs.parquet", OUTPUTS / "first_pass"
FEATURE_TABLE = OUTPUTS / "features.parquet"
OBLIGATIONS = OUTPUTS / "obligations"

TUNING = OUTPUTS / "tuning"
CHOICE = TUNING / "best.json"
RANKERS, OUT_OF_FOLD = OUTPUTS / "ranker", OUTPUTS / "out_of_fold.parquet"
TRUST = OUTPUTS / "trust"
LIMITS = TRUST / "limits.json"
UNANSWERED, SELECTION = OUTPUTS / "unanswered.parquet", OUTPUTS / "selection.json"
BUNDLE = OUTPUTS / "bundle"

EVALUATION = OUTPUTS / "evaluation"
METRICS, PER_QUERY = EVALUATION / "metrics.json", EVALUATION / "per_query.parquet"
HEADLINE = EVALUATION / "ranker.json"
"""The metrics of the ranker alone: few enough for one line of `dvc metrics show`."""
RECALL_BY_DEPTH = EVALUATION / "recall_by_depth.csv"
MEASURED_RUNS = EVALUATION / "runs"
"""TREC runs: `<split>.<run>.trec`."""
EXPLANATION = OUTPUTS / "explain"
ANSWERS = OUTPUTS / "answers"
TRACKED = OUTPUTS / "track.json"
